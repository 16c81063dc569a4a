/** What is remembered of the time of day, also over restarts; epoch ms and ms. */
export interface ClockMemory {
  /** What the clock showed when it was last looked at. */
  seen_ms: number;
  /** Up to here time has passed for certain: old things are deleted by this and never by the clock alone. */
  trusted_ms: number;
  /** For how long the clock has run as time passes, since it was last far ahead or set back. */
  steady_ms: number;
}

/** The clock went another way than time; null where it did not. */
export interface ClockStep {
  kind: 'ahead' | 'far_ahead' | 'back';
  from_ms: number;
  to_ms: number;
}

/** Less than this is what clocks that are kept right do by themselves. */
export const stepMs = 60_000;
/** Machines that are switched off or asleep for no longer are believed at once. */
export const absenceMs = 7 * 86_400_000;
/** A clock that jumped further is believed once it has run steadily for so long. */
export const proofMs = 7 * 86_400_000;

/** Nothing is known of before: nothing old is deleted until the clock has proven itself. */
export function firstMemory(wallMs: number): ClockMemory {
  return { seen_ms: wallMs, trusted_ms: 0, steady_ms: 0 };
}

interface Look {
  wall_ms: number;
  /** How much time has passed since the last look, by a clock that nobody sets; 0 after a start, for nobody knows. */
  ran_ms: number;
  /** After a start the clock may be ahead by as long as the machine may have been off. */
  isStart: boolean;
}

/** Holds what the clock shows against the time that has passed. */
export function lookAtClock(
  { seen_ms, trusted_ms, steady_ms }: ClockMemory,
  { wall_ms, ran_ms, isStart }: Look,
): { memory: ClockMemory; step: ClockStep | null } {
  const expectedMs = seen_ms + ran_ms;
  const aheadMs = wall_ms - expectedMs;
  const isSteady = aheadMs >= -stepMs && aheadMs <= absenceMs;
  const steady = isSteady ? steady_ms + ran_ms : 0;
  const believedMs = trusted_ms + ran_ms + (isSteady ? Math.max(0, aheadMs) : 0);
  const reachedMs = steady >= proofMs ? wall_ms : believedMs;
  const memory = { seen_ms: wall_ms, trusted_ms: Math.min(wall_ms, reachedMs), steady_ms: steady };
  const kind = kindOf(aheadMs, isStart);
  return { memory, step: kind === null ? null : { kind, from_ms: expectedMs, to_ms: wall_ms } };
}

function kindOf(aheadMs: number, isStart: boolean): ClockStep['kind'] | null {
  if (aheadMs < -stepMs) return 'back';
  if (aheadMs > absenceMs) return 'far_ahead';
  return aheadMs > stepMs && !isStart ? 'ahead' : null;
}
