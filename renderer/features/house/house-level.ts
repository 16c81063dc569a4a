import type { Facility, RuntimeLevel } from '../../../server/contract/facility.ts';

/** The level of a house as it is shown: a house with nothing connected is not idle, it has none. */
export function shownLevel(
  { sensors, actuators }: Pick<Facility, 'sensors' | 'actuators'>,
  level: RuntimeLevel | undefined,
): RuntimeLevel | undefined {
  return level === 'idle' && sensors.length + actuators.length === 0 ? undefined : level;
}
