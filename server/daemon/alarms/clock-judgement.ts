/** What is remembered about the time of day, also across restarts; epoch ms and ms. */
export interface ClockMemory {
  /** What the clock showed at the last look. */
  seen_ms: number;
  /** The time that has certainly been reached: old data is deleted by it and never by the clock alone. */
  trusted_ms: number;
  /** How long the clock has kept pace with elapsed time since it last jumped far ahead or back. */
  steady_ms: number;
}

/** A jump of the clock against elapsed time. */
export interface ClockStep {
  kind: 'ahead' | 'far_ahead' | 'back';
  from_ms: number;
  to_ms: number;
}

/** Well-kept clocks correct themselves by less than this. */
export const stepMs = 60_000;
/** A jump ahead up to this long is accepted at once: the machine was off or asleep. */
export const absenceMs = 7 * 86_400_000;
/** A clock that jumped further is accepted once it has run steadily for this long. */
export const proofMs = 7 * 86_400_000;

/** The memory before anything is known: nothing old is deleted until the clock has proven itself. */
export function firstMemory(wallMs: number): ClockMemory {
  return { seen_ms: wallMs, trusted_ms: 0, steady_ms: 0 };
}

interface Look {
  wall_ms: number;
  /** Elapsed ms since the last look; 0 after a start, when it is unknown. */
  ran_ms: number;
  /** After a start the clock may be ahead by as long as the machine was off. */
  isStart: boolean;
}

/** Compares what the clock shows with the time that has passed. */
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
