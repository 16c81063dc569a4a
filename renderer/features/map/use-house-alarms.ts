import { computed, watch, type Ref } from 'vue';
import { needsSomebody } from '../../../server/contract/alarm.ts';
import type { HouseAlarm } from '../../map/look.ts';
import type { SiteMap } from '../../map/site-map.ts';
import { useLive } from '../../stores/live.ts';

/** Colours the outlines of houses by their worst alarm, as on the overview: `houses` maps shape ids to house ids. */
export function useHouseAlarms(
  map: Readonly<Ref<SiteMap | undefined | null>>,
  houses: Readonly<Ref<ReadonlyMap<string, string>>>,
): void {
  const live = useLive();
  const worst = computed((): ReadonlyMap<string, HouseAlarm> => {
    const ofHouse = new Map<string, HouseAlarm>();
    for (const alarm of live.alarms) {
      if (alarm.severity === 'info' || !(needsSomebody(alarm) || alarm.state === 'acknowledged')) continue;
      if (ofHouse.get(alarm.source_id) !== 'emergency') ofHouse.set(alarm.source_id, alarm.severity);
    }
    return new Map(
      [...houses.value].flatMap(([shape, house]) => {
        const alarm = ofHouse.get(house);
        return alarm === undefined ? [] : [[shape, alarm] as const];
      }),
    );
  });
  watch([map, () => JSON.stringify([...worst.value])], () => map.value?.setAlarms(worst.value), { immediate: true });
}
