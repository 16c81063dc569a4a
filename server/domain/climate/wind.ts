import jStat from 'jstat';
import { wave, waveSquare } from './wave.ts';

/** Mean wind 10 m above land: Archer & Jacobson (2005), Journal of Geophysical Research 110, D12110. */
const mean_m_s = 3.28;
/**
 * Winds of a year have a Weibull distribution of this shape: k = 0.94 sqrt(mean), Justus et al. (1978), Journal of
 * Applied Meteorology 17.
 */
const shape = 0.94 * Math.sqrt(mean_m_s);
const scale_m_s = mean_m_s / jStat.gammafn(1 + 1 / shape);

/** Periods, d, and weights of the waves whose sum stands for passing weather; and the weight of the afternoon. */
const waves = [
  { period_d: 3.1, phase: 0.7, weight: 1 },
  { period_d: 0.93, phase: 0.6, weight: 0.5 },
  { period_d: 0.31, phase: 0.04, weight: 0.3 },
  { period_d: 0.13, phase: 0.65, weight: 0.2 },
] as const;
const afternoonWeight = 0.6;
const spread = Math.sqrt(
  waves.reduce((sum, { weight }) => sum + waveSquare * weight ** 2, 0) + afternoonWeight ** 2 / 2,
);

/**
 * Wind speed, m/s. The sum of waves is nearly normal; the wind has the same rank in its own distribution.
 *
 * @param afternoon 1 at its height, -1 in the night
 */
export function wind_m_s(day: number, afternoon: number): number {
  const sum = waves.reduce((all, one) => all + one.weight * wave(day, one.period_d, one.phase), 0);
  const share = jStat.normal.cdf(sum + afternoonWeight * afternoon, 0, spread);
  return scale_m_s * (-Math.log1p(-share)) ** (1 / shape);
}

/**
 * Where it comes from, degrees: about south-west, the prevailing wind of the middle latitudes, and round it as weather
 * passes.
 */
export function windFrom_deg(day: number): number {
  return (((225 + 110 * wave(day, 4.3, 0.2) + 20 * wave(day, 0.21, 0)) % 360) + 360) % 360;
}
