import { computed, watch, type Ref } from 'vue';
import { needsSomebody, type Alarm } from '../../../server/contract/alarm.ts';
import type { Facility } from '../../../server/contract/facility.ts';
import type { HouseAlarm } from '../../map/look.ts';
import type { SiteMap } from '../../map/site-map.ts';
import { useLive } from '../../stores/live.ts';
import { byAlarmId, rootOf } from '../../ui/alarm-root.ts';
import { housesByDevice, type DeviceHouse } from '../../ui/alarm-house.ts';

/** The worst alarm of each house and of the devices that it alone uses, also where it follows from one elsewhere. */
export function worstByHouse(
  alarms: readonly Alarm[],
  houses: readonly DeviceHouse[],
): ReadonlyMap<string, HouseAlarm> {
  const houseOf = housesByDevice(houses);
  const worst = new Map<string, HouseAlarm>();
  const byId = byAlarmId(alarms);
  for (const alarm of alarms) {
    const root = rootOf(alarm, byId);
    const isSilent = root === undefined || !(needsSomebody(root) || root.state === 'acknowledged');
    if (isSilent || alarm.severity === 'info') continue;
    const house = houseOf.get(alarm.source_id)?.unique_id ?? alarm.source_id;
    if (worst.get(house) !== 'emergency') worst.set(house, alarm.severity);
  }
  return worst;
}

/** Colours the outlines of houses by their worst alarm, as on the overview. */
export function useHouseAlarms(
  map: Readonly<Ref<SiteMap | undefined | null>>,
  houses: Readonly<Ref<readonly Pick<Facility, keyof DeviceHouse | 'shape_uuid'>[]>>,
): void {
  const live = useLive();
  const worst = computed((): ReadonlyMap<string, HouseAlarm> => {
    const ofHouse = worstByHouse(live.alarms, houses.value);
    return new Map(
      houses.value.flatMap(({ shape_uuid, unique_id }) => {
        const alarm = ofHouse.get(unique_id);
        return alarm === undefined ? [] : [[shape_uuid, alarm] as const];
      }),
    );
  });
  watch([map, () => JSON.stringify([...worst.value])], () => map.value?.setAlarms(worst.value), { immediate: true });
}
