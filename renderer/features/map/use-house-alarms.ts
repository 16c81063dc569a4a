import { computed, watch, type Ref } from 'vue';
import type { Facility } from '../../../server/contract/facility.ts';
import type { HouseAlarm } from '../../map/look.ts';
import type { SiteMap } from '../../map/site-map.ts';
import { useFacilities } from '../../stores/facility.ts';
import { useLive } from '../../stores/live.ts';
import { useHouseLevels } from '../house/use-house-levels.ts';

/** Colours the outlines of houses by their level, as on the overview; none while what is known is of the past. */
export function useHouseAlarms(
  map: Readonly<Ref<Pick<SiteMap, 'setAlarms'> | undefined | null>>,
  houses: Readonly<Ref<readonly Pick<Facility, 'unique_id' | 'shape_uuid'>[]>>,
): void {
  const facilities = useFacilities();
  const live = useLive();
  const loadLevels = useHouseLevels(() => houses.value);
  const worst = computed(
    (): ReadonlyMap<string, HouseAlarm> =>
      new Map(
        houses.value.flatMap(({ shape_uuid, unique_id }) => {
          const level = facilities.runtimes.get(unique_id)?.level;
          const isAlarming = live.isCurrent && (level === 'warning' || level === 'emergency');
          return isAlarming ? [[shape_uuid, level] as const] : [];
        }),
      ),
  );
  watch([map, () => JSON.stringify([...worst.value])], () => map.value?.setAlarms(worst.value), { immediate: true });
  watch(
    () => houses.value.map(({ unique_id }) => unique_id).join(' '),
    () => void loadLevels(),
    { immediate: true },
  );
}
