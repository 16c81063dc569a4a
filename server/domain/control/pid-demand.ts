import type { ControlLimits, PidDirection } from './pid.ts';

/** The possible demand on one output of a loop, in the unit of its kind (s, %, the output's own, ml). */
export interface DemandRange {
  /** The form of its demand: seconds on in each period, a duty in %, a value, or a volume a period. */
  kind: 'duration' | 'pwm' | 'value' | 'volume';
  /** A smaller demand is not driven at all. */
  min: number;
  max: number;
  /** Minimum time off after it was on, s. */
  min_off_s: number;
}

export interface DemandRanges {
  direction: PidDirection;
  raise?: DemandRange | undefined;
  lower?: DemandRange | undefined;
  /** Length of a period, s. */
  period_s: number;
}

/** The demand on each output; 0 is off. Without a key the loop has no such output. */
export interface Demand {
  raise?: number;
  lower?: number;
}

/**
 * The range of control with these outputs: from the largest demand of the lowering one, negative, to that of the
 * raising one.
 */
export function controlLimits({ direction, raise, lower, period_s }: DemandRanges): ControlLimits {
  return {
    low: lower === undefined || direction === 'raise' ? 0 : -largest(lower, period_s),
    high: raise === undefined || direction === 'lower' ? 0 : largest(raise, period_s),
  };
}

/**
 * The demand for a control: positive control drives the raising output, negative the lowering one, never both at once.
 */
export function demandOf(control: number, ranges: DemandRanges): Demand {
  const { direction, raise, lower, period_s } = ranges;
  return {
    ...(raise !== undefined && direction !== 'lower' && { raise: amount(control, raise, period_s) }),
    ...(lower !== undefined && direction !== 'raise' && { lower: amount(-control, lower, period_s) }),
  };
}

function largest({ kind, max }: DemandRange, period_s: number): number {
  if (kind === 'duration') return Math.min(max, period_s);
  return kind === 'pwm' ? Math.min(max, 100) : max;
}

function amount(asked: number, range: DemandRange, period_s: number): number {
  const most = largest(range, period_s);
  if (!(asked > 0) || asked < range.min) return 0;
  return range.kind === 'duration' ? onTime(Math.min(asked, most), range, period_s) : Math.min(asked, most);
}

/**
 * Seconds on. Between the longest pulse that leaves the output its rest and the whole period, the nearer of the two.
 */
function onTime(asked: number, range: DemandRange, period_s: number): number {
  const longestPulse = Math.max(0, period_s - range.min_off_s);
  if (asked <= longestPulse) return asked;
  const isWhole = largest(range, period_s) >= period_s && asked - longestPulse > period_s - asked;
  if (isWhole) return period_s;
  return longestPulse < range.min ? 0 : longestPulse;
}
