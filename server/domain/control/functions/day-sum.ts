/** The sum since midnight; plain data, so that it outlives a restart. */
export interface DaySum {
  /** Date at the site, YYYY-MM-DD. */
  day: string;
  /** Unit of the rate times h. */
  sum: number;
  /** The newest reading, which holds until the next one. */
  last: { at_ms: number; rate: number } | null;
}

export const emptyDay: DaySum = { day: '', sum: 0, last: null };

interface Moment {
  day: string;
  /** When that day began, epoch ms. */
  midnight_ms: number;
  at_ms: number;
  /** null without a reading: the former one no longer holds. */
  rate: number | null;
  /** How long a reading holds, ms: missing values are in no sum. */
  hold_ms: number;
}

const hourMs = 3_600_000;

/** Adds what passed since the last reading. A clock that is set back adds nothing twice, and a new day begins at 0. */
export function addToDay(before: DaySum, { day, midnight_ms, at_ms, rate, hold_ms }: Moment): DaySum {
  const { last } = before;
  const sum = before.day === day ? before.sum : 0;
  const fromMs = last === null ? at_ms : Math.max(last.at_ms, midnight_ms);
  const untilMs = last === null ? at_ms : Math.min(at_ms, last.at_ms + hold_ms);
  const added = last === null || untilMs <= fromMs ? 0 : (last.rate * (untilMs - fromMs)) / hourMs;
  if (last !== null && at_ms < last.at_ms) return { day, sum, last: rate === null ? null : { at_ms, rate } };
  return { day, sum: sum + added, last: rate === null ? null : { at_ms, rate } };
}

/** Degrees above a base, K, with the temperature limited to an upper threshold. */
export function degreesAbove(
  temp_c: number,
  { base_c, upper_c = Infinity }: { base_c: number; upper_c?: number | undefined },
): number {
  return Math.max(0, Math.min(temp_c, upper_c) - base_c);
}
