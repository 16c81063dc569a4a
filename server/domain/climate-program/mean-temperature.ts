import { cause, clamp, loopLive, type LoopResult, type Moment } from './moment.ts';
import type { ClimateState } from './state.ts';

type Mean = ClimateState['mean'];
const hour_s = 3600;

/** The mean of the known part of the last 24 hours, C; null before the first reading. */
export function meanOf({ hours_c, hour_sum_c, hour_s: partial_s }: Mean): number | null {
  const seconds = hours_c.length * hour_s + partial_s;
  return seconds === 0 ? null : (hours_c.reduce((sum, one) => sum + one * hour_s, 0) + hour_sum_c) / seconds;
}

/**
 * Integrates how much the house is too warm for its target mean. The correction would make up for it within the number
 * of days in the program, and is limited (Hoogendoorn, temperature integration +TO). What is older fades.
 */
export function meanTemperature(
  { program: { mean_temperature: loop }, readings: { temp_c }, dt_s }: Omit<Moment, 'setpoints' | 'period'>,
  before: Mean,
): LoopResult<Mean> {
  const hours = hoursWith(before, temp_c, dt_s);
  const horizon_h = loop.days * 24;
  const kept = before.degree_hours * Math.exp(-dt_s / hour_s / horizon_h);
  const added = temp_c === null || !loop.is_on ? 0 : ((temp_c - loop.target_c) * dt_s) / hour_s;
  const most = loop.most_k * horizon_h;
  const degree_hours = loop.is_on ? clamp(kept + added, -most, most) : 0;
  const correction_k = loop.is_on ? clamp(-degree_hours / horizon_h, -loop.most_k, loop.most_k) : 0;
  const why = cause('mean_correction', { degree_hours, correction_k, target_c: loop.target_c, days: loop.days });
  return {
    state: { ...hours, degree_hours, correction_k },
    demands: [],
    live: loopLive('mean_temperature', {
      target: loop.target_c,
      measured: meanOf(hours),
      demand_pct: correction_k,
      cause: why,
    }),
  };
}

function hoursWith(mean: Mean, temp_c: number | null, dt_s: number): Mean {
  if (temp_c === null) return mean;
  const [hour_sum_c, known_s] = [mean.hour_sum_c + temp_c * dt_s, mean.hour_s + dt_s];
  if (known_s < hour_s) return { ...mean, hour_sum_c, hour_s: known_s };
  return { ...mean, hours_c: [...mean.hours_c, hour_sum_c / known_s].slice(-24), hour_sum_c: 0, hour_s: 0 };
}
