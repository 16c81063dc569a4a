import type { Moved } from './state.ts';

/** How a drive that wears may move. */
export interface MotorRules {
  now_ms: number;
  /** No smaller move but to an end, %. */
  least_step_pct: number;
  /** No move sooner after the one before, s. */
  pause_s: number;
  /** Where it rests beside its ends: no move to it is too small. */
  rests_pct?: number;
}

/** Small moves wear drives out: none below the smallest step but to the end, and none before the pause is over. */
export function stepTo(
  target: number,
  before: Moved,
  { now_ms, least_step_pct, pause_s, rests_pct }: MotorRules,
): Moved {
  const isEnd = [0, 100, rests_pct].includes(target) && target !== before.pct;
  const isFar = Math.abs(target - before.pct) >= least_step_pct;
  const isRested = now_ms - before.moved_ms >= pause_s * 1000;
  return (isEnd || isFar) && isRested ? { pct: target, moved_ms: now_ms } : before;
}
