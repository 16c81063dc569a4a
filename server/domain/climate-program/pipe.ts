import { along, clamp, type ClimateActuator, type Moment } from './moment.ts';
import type { Moved } from './state.ts';

/** The valve moves by so many % for each K that the pipe is off, by so many at most, and not at all within the band. */
const gain_pct_per_k = 1;
const most_step_pct = 20;
const band_k = 2;
/** A pipe so far above its maximum shuts the valve at once, K. */
const over_k = 5;
/** The pipe shows a move of the valve so much later than the drive ends, s. */
const settle_s = 30;

/** Water that heat asks for, C: from the air, or the minimum of the pipe, to its maximum. null: none. */
export function pipeTarget_c(moment: Moment, pct: number, isVented: boolean): number | null {
  const { program, period, setpoints } = moment;
  const least_c = isVented ? null : (period.setpoints.pipe_min_c ?? program.heating.pipe_min_c);
  if (pct <= 0) return least_c;
  return along(pct, [0, Math.max(least_c ?? 0, setpoints.heating_c ?? 0)], [100, pipeMost_c(moment)]);
}

/** Water at full heat, C. */
function pipeMost_c({ program, period }: Moment): number {
  return period.setpoints.pipe_max_c ?? program.heating.pipe_max_c;
}

/**
 * Moves a mixing valve towards the water temperature that is asked for: by the error, from where it stands, in steps, and not before
 * the drive has ended and the pipe has answered. null: its safe state, for without a reading of the pipe nothing keeps the water below
 * its maximum, and a valve that is switched cannot mix.
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
  // Where a hand holds it, it stands there: what it was asked for meanwhile must not add up.
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
