import type { Surroundings } from './expected-effect.ts';
import { lastOf } from './outdoor-level.ts';
import { median } from './point.ts';
import type { Quantity } from './quantity.ts';
import type { Series } from './series.ts';

/** Defaults without sensors: mild air that hardly moves. */
const usual = { indoor_c: 20, outdoor_c: 20, humidity_pct: 70, wind_m_s: 0, wind_from_deg: 0, light_w_m2: 0 };

/** The air in and around the house by the readings before anything was driven. */
export function surroundingsOf(all: readonly Series[], until_s: number): Surroundings {
  const level = (quantity: Quantity): number | null => {
    const points = all.find((one) => one.quantity === quantity)?.points.filter(({ time_s }) => time_s <= until_s) ?? [];
    return points.length === 0 ? null : median(points.map(({ value }) => value));
  };
  const wind_m_s = lastOf(all, 'outdoor_wind');
  return {
    isWindKnown: wind_m_s !== null,
    indoor_c: level('temp') ?? usual.indoor_c,
    outdoor_c: lastOf(all, 'outdoor_temp', 'C') ?? usual.outdoor_c,
    humidity_pct: level('humidity') ?? usual.humidity_pct,
    wind_m_s: wind_m_s ?? usual.wind_m_s,
    wind_from_deg: lastOf(all, 'outdoor_wind_dir') ?? usual.wind_from_deg,
    light_w_m2: Math.max(0, level('light') ?? usual.light_w_m2),
  };
}
