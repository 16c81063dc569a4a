import type { Facility } from '../../server/contract/facility.ts';

export type DeviceHouse = Pick<Facility, 'unique_id' | 'name' | 'sensors' | 'actuators'>;

/** The house of each device that a single house uses. */
export function housesByDevice(houses: readonly DeviceHouse[]): ReadonlyMap<string, DeviceHouse> {
  const found = new Map<string, DeviceHouse | null>();
  for (const house of houses)
    for (const { device_id } of [...house.sensors, ...house.actuators]) {
      const other = found.get(device_id);
      found.set(device_id, other === undefined || other === house ? house : null);
    }
  return new Map([...found].filter((entry): entry is [string, DeviceHouse] => entry[1] !== null));
}
