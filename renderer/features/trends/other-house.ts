import { seriesKey } from '../../../server/contract/measured.ts';
import type { Facility } from '../../../server/contract/facility.ts';
import type { SensorBinding } from '../../../server/contract/facility-binding.ts';

/** A house as a comparison needs it. */
export type HouseSensors = Pick<Facility, 'unique_id' | 'name'> & {
  sensors: readonly Pick<SensorBinding, 'role' | 'device_id' | 'measurement_id'>[];
};

/** What another house measures of the chosen channels, each `device_id/measurement_id`. */
interface OtherHouse {
  /** The other house's channel of each chosen one, in the order of choosing; each at most once. */
  pairs: readonly { of: string; key: string }[];
  /** Chosen channels of which the other house measures nothing, or that it measures itself. */
  missing: readonly string[];
}

const binds = ({ sensors }: HouseSensors, key: string): boolean => sensors.some((one) => seriesKey(one) === key);

/** The first house that binds a channel; undefined when none does. */
export function houseOf<House extends HouseSensors>(key: string, houses: readonly House[]): House | undefined {
  return houses.find((house) => binds(house, key));
}

/** The houses that a chosen channel of another one can be compared with. */
export function housesBeside<House extends HouseSensors>(chosen: readonly string[], houses: readonly House[]): House[] {
  const bound = chosen.filter((key) => houseOf(key, houses) !== undefined);
  return houses.filter((house) => bound.some((key) => !binds(house, key)));
}

/**
 * Pairs each chosen channel with the sensor of the same role in another house: the second with the second, and with the
 * last where the other house has fewer.
 */
export function otherHouse(
  chosen: readonly string[],
  houses: readonly HouseSensors[],
  other: HouseSensors,
): OtherHouse {
  const pairs: { of: string; key: string }[] = [];
  const missing: string[] = [];
  // What both measure, say the weather, or what is drawn already, is not drawn twice.
  const drawn = new Set(chosen);
  for (const of of chosen) {
    const home = houseOf(
      of,
      houses.filter(({ unique_id }) => unique_id !== other.unique_id),
    );
    const key = home && counterpart(of, home, other);
    if (key === undefined) missing.push(of);
    else if (!drawn.has(key)) {
      drawn.add(key);
      pairs.push({ of, key });
    }
  }
  return { pairs, missing };
}

function counterpart(key: string, home: HouseSensors, other: HouseSensors): string | undefined {
  const role = home.sensors.find((one) => seriesKey(one) === key)?.role;
  const inRole = ({ sensors }: HouseSensors): string[] => sensors.filter((one) => one.role === role).map(seriesKey);
  const found = inRole(other);
  return found[Math.min(inRole(home).indexOf(key), found.length - 1)];
}
