import type { CheckOverview } from '../../../server/contract/commissioning.ts';
import type { Facility, RuntimeLevel } from '../../../server/contract/facility.ts';

/**
 * The level of a house as it is shown: one without sensors is not idle, it is not watched; and while a commissioning
 * check drives it, it does not run as its programs would.
 */
export function shownLevel(
  { sensors }: Pick<Facility, 'sensors'>,
  level: RuntimeLevel | undefined,
  check: Pick<CheckOverview, 'status'> | null | undefined,
): RuntimeLevel | 'commissioning' | undefined {
  if (level === undefined || level === 'warning' || level === 'emergency') return level;
  if (check?.status === 'running') return 'commissioning';
  return level === 'idle' && sensors.length === 0 ? undefined : level;
}
