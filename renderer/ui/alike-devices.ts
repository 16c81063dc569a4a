import type { Device } from '../../server/contract/device.ts';
import { housesByDevice, type DeviceHouse } from './alarm-house.ts';

/** The name of its house for each device that has its name in common with another of its kind, as copies have. */
export function housesOfAlike(
  devices: readonly Pick<Device, 'unique_id' | 'kind' | 'name'>[],
  houses: readonly DeviceHouse[],
): ReadonlyMap<string, string> {
  const houseOf = housesByDevice(houses);
  const alike = [...Map.groupBy(devices, ({ kind, name }) => `${kind} ${name}`).values()].filter(
    (some) => some.length > 1,
  );
  return new Map(
    alike.flat().flatMap(({ unique_id }): [string, string][] => {
      const house = houseOf.get(unique_id);
      return house === undefined ? [] : [[unique_id, house.name]];
    }),
  );
}
