import type { SensorRole } from '../../../server/contract/facility-binding.ts';
import { windSpeeds, type AskedWind } from '../facility/wind/asked-wind.ts';
import type { Reading } from './reading.ts';

/** The measured wind and the vents, in steps of the sliders. */
export interface PresentWind extends Omit<AskedWind, 'opening_pct'> {
  /** The mean of all vents of known position; absent without one. */
  opening_pct?: number;
  /** The measured speed where it is above what is computed, m/s. */
  beyond_m_s?: number;
  /** The least and the most open vent, %, where the mean is neither. */
  apart_pct?: [number, number];
}

type Known = Pick<Reading, 'quality' | 'value'> & { binding: Pick<Reading['binding'], 'role'> };

/** undefined without a good wind. `positions_pct` are those of all vents, null where unknown. */
export function presentWind(
  readings: readonly Known[],
  positions_pct: readonly (number | null)[],
): PresentWind | undefined {
  const good = (role: SensorRole): number | null =>
    readings.find(({ binding, quality }) => binding.role === role && quality === 'good')?.value ?? null;
  const [speed, direction] = [good('outdoor_wind'), good('outdoor_wind_dir')];
  if (speed === null || direction === null) return undefined;
  return {
    speed_m_s: Math.min(windSpeeds.max, Math.max(windSpeeds.min, Math.round(speed))),
    direction_deg: (Math.round(direction / 10) * 10) % 360,
    ...(speed > windSpeeds.max && { beyond_m_s: speed }),
    ...openingOf(positions_pct.filter((one) => one !== null)),
  };
}

function openingOf(known: readonly number[]): Pick<PresentWind, 'opening_pct' | 'apart_pct'> {
  if (known.length === 0) return {};
  const mean = known.reduce((sum, one) => sum + one, 0) / known.length;
  const [least, most] = [Math.min(...known), Math.max(...known)];
  return { opening_pct: Math.round(mean / 5) * 5, ...(least < most && { apart_pct: [least, most] }) };
}
