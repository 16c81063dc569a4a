import { along, clamp, type ClimateActuator, type Moment } from './moment.ts';
import type { Moved } from './state.ts';

/** The valve moves by this much per K of pipe error, by this much at most, and not at all within the dead band. */
const gain_pct_per_k = 1;
const most_step_pct = 20;
const band_k = 2;
/** A pipe this far above its maximum shuts the valve at once, K. */
const over_k = 5;
/** The pipe shows a move of the valve this long after the drive ends, s. */
const settle_s = 30;

/** Water temperature that heating demands, C: from the air, or the pipe's minimum, to its maximum. null: none. */
export function pipeTarget_c(moment: Moment, pct: number, isVented: boolean): number | null {
  const { heating_c, pipe_min_c } = moment.setpoints;
  // An influence may lift it above what the pipe may have.
  const least_c = isVented || pipe_min_c === null ? null : Math.min(pipe_min_c, pipeMost_c(moment));
  if (pct <= 0) return least_c;
  return along(pct, [0, Math.max(least_c ?? 0, heating_c ?? 0)], [100, pipeMost_c(moment)]);
}

/** Water at full heat, C. */
function pipeMost_c({ program, period }: Moment): number {
  return period.setpoints.pipe_max_c ?? program.heating.pipe_max_c;
}

/**
 * Moves a mixing valve towards the demanded water temperature: by the error, from its position, in steps, and only
 * after the drive has ended and the pipe has responded. null: its safe state, because without a pipe reading nothing
 * keeps the water below its maximum, and a switched valve cannot mix.
 */
export function mixingValve(
  { key, kind, run_time_s }: ClimateActuator,
  before: Moved | undefined,
  { moment, target_c }: { moment: Moment; target_c: number | null },
): Moved | null {
  const { readings, now_ms, program } = moment;
  const { pipe_c } = readings;
  if (pipe_c === null || kind === 'switch') return null;
  const { moved_ms, pct: asked_pct } = before ?? { moved_ms: 0, pct: 0 };
  // Start from the actual position when a user holds the valve: demands made meanwhile must not add up.
  const known: Moved = { pct: readings.stands_pct[key] ?? asked_pct, moved_ms };
  const to = (next_pct: number): Moved => (next_pct === known.pct ? known : { pct: next_pct, moved_ms: now_ms });
  if (target_c === null || pipe_c > pipeMost_c(moment) + over_k) return to(0);
  const travel_s = ((run_time_s ?? 0) * most_step_pct) / 100 + settle_s;
  if (now_ms - known.moved_ms < Math.max(travel_s, program.heating.pause_s / 3) * 1000) return before ?? known;
  const error_k = target_c - pipe_c;
  if (Math.abs(error_k) <= band_k) return known;
  const step_pct = clamp(gain_pct_per_k * error_k, -most_step_pct, most_step_pct);
  return to(Math.round(clamp(known.pct + step_pct, 0, 100)));
}
