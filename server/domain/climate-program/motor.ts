import type { Moved } from './state.ts';

/** Near closed a move changes most: steps are no larger than that there, or a mild day opens and shuts by turns, %. */
export const small_step_pct = 2;

/** Limits on the moves of a drive, against wear. */
export interface MotorRules {
  now_ms: number;
  /** Minimum move, except to an end, %. */
  least_step_pct: number;
  /** Minimum time since the previous move, s. */
  pause_s: number;
  /** A rest position besides the ends, which may itself move: it is followed in small steps. */
  rests_pct?: number;
}

/** Small moves wear out drives: none below the minimum step except to an end, and none during the pause. */
export function stepTo(
  target: number,
  before: Moved,
  { now_ms, least_step_pct, pause_s, rests_pct }: MotorRules,
): Moved {
  const isEnd = [0, 100].includes(target) && target !== before.pct;
  const isRest = target === rests_pct && Math.abs(before.pct - target) >= small_step_pct;
  const isFar = Math.abs(target - before.pct) >= least_step_pct;
  const isRested = now_ms - before.moved_ms >= pause_s * 1000;
  return (isEnd || isRest || isFar) && isRested ? { pct: target, moved_ms: now_ms } : before;
}
