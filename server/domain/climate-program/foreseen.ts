import { weatherAt, type Weather } from '../climate/weather.ts';
import type { Place } from '../solar/sun-day.ts';
import type { ClimateReadings } from './moment.ts';

/** The weather that influences depend on. */
export type ForeseenWeather = Pick<Weather, 'temp_c' | 'wind_m_s' | 'radiation_w_m2'>;

/** A weather forecast. */
export interface ForecastWeather {
  /** When it was requested, and the last moment that it covers. */
  asked_at_ms: number;
  until_ms: number;
  /** null when it has no values. */
  at: (atMs: number) => ForeseenWeather | null;
}

/**
 * The weather at any moment: from the forecast where it covers that, else typical weather of the place (`weatherAt`).
 */
export function foreseenBy(forecast: ForecastWeather | null, { lat, lng }: Place): (atMs: number) => ForeseenWeather {
  return (atMs) => forecast?.at(atMs) ?? weatherAt(lat, atMs, lng);
}

/** That weather as readings; readings of the house are unknown. */
export function readingsIn({ temp_c, wind_m_s, radiation_w_m2 }: ForeseenWeather): ClimateReadings {
  return {
    temp_c: null,
    substituted: [],
    temps_c: [],
    humidity_pct: null,
    co2_ppm: null,
    outdoor_c: temp_c,
    outdoor_humidity_pct: null,
    wind_m_s,
    wind_dir_deg: null,
    radiation_w_m2,
    rain: null,
    sky_w_m2: null,
    measured: [],
    moisture_pct: null,
    pipe_c: null,
    drain_l_h: null,
    flows_l_h: {},
    stands_pct: {},
  };
}
