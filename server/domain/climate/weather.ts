import { getPosition } from 'suncalc';
import { saturationPressure_pa } from './air.ts';

/** Weather outside, as the simulated weather station reads it. */
export interface Weather {
  temp_c: number;
  humidity_pct: number;
  co2_ppm: number;
  /** Global radiation on the level, W/m2. */
  radiation_w_m2: number;
  wind_m_s: number;
  /** Where the wind comes from, degrees clockwise from north, 0 to below 360. */
  wind_dir_deg: number;
  rain_mm_h: number;
}

const day_ms = 86_400_000;
const year_d = 365.2425;
const circle = 2 * Math.PI;

/**
 * Weather of a place and moment: the sun as it stands there, seasons by latitude, days that warm until three in the
 * afternoon, and passing weather of a few days from fixed waves, the same for every run. Continuous in time.
 * @param lat_deg -90 to 90
 * @param epoch_ms milliseconds since 1970, UTC
 * @param lng_deg -180 to 180; it sets the solar time
 */
export function weatherAt(lat_deg: number, epoch_ms: number, lng_deg = 0): Weather {
  const day = epoch_ms / day_ms + lng_deg / 360;
  const cloud = cloudCover(day);
  const afternoon = Math.cos(circle * (day - 15 / 24));
  const mean_c = seasonalMean_c(lat_deg, day) + 3 * wave(day, 5.3, 0.4);
  const temp_c = mean_c + 4.5 * (1 - 0.6 * cloud) * afternoon;
  const dew_c = mean_c - 3 - 6 * (1 - cloud);
  const humidity_pct = Math.min(100, (100 * saturationPressure_pa(dew_c)) / saturationPressure_pa(temp_c));
  return {
    temp_c,
    humidity_pct,
    co2_ppm: 425 - 12 * afternoon,
    radiation_w_m2: clearSky_w_m2(lat_deg, lng_deg, epoch_ms) * (1 - 0.75 * cloud ** 3.4),
    wind_m_s: Math.max(0, 2.4 + 1.2 * afternoon + 1.6 * wave(day, 3.1, 0.7) + 0.4 * wave(day, 0.13, 0)),
    wind_dir_deg: (((225 + 110 * wave(day, 4.3, 0.2) + 20 * wave(day, 0.21, 0)) % 360) + 360) % 360,
    rain_mm_h: 20 * Math.max(0, cloud - 0.85),
  };
}

/** Two waves whose periods never meet, between -1 and 1. */
function wave(day: number, period_d: number, phase: number): number {
  const first = Math.sin(circle * (day / period_d + phase));
  return 0.6 * first + 0.4 * Math.sin(circle * (day / (period_d * 2.618) + 3 * phase));
}

/** Share of the sky under cloud, 0 to 1. */
function cloudCover(day: number): number {
  return Math.min(1, Math.max(0, 0.42 + 0.6 * wave(day, 3.7, 0.1) + 0.12 * wave(day, 0.37, 0)));
}

/**
 * Mean of the day, C: an annual mean that falls with the square of the sine of the latitude and a season that grows
 * with its sine, coldest on 21 January in the north. Fits lowland stations from the equator to 60 degrees roughly.
 */
function seasonalMean_c(lat_deg: number, day: number): number {
  const sine = Math.sin((lat_deg * Math.PI) / 180);
  return 27 - 38 * sine ** 2 - 22 * sine * Math.cos((circle * (day - 20)) / year_d);
}

/**
 * Global radiation under a clear sky, W/m2: Haurwitz (1945), 1098 cos z exp(-0.057 / cos z). Clouds take
 * 0.75 N^3.4 of it: Kasten & Czeplak (1980).
 */
function clearSky_w_m2(lat_deg: number, lng_deg: number, epoch_ms: number): number {
  const { altitude } = getPosition(new Date(epoch_ms), lat_deg, lng_deg);
  const height = Math.sin((altitude * Math.PI) / 180);
  return height <= 0 ? 0 : 1098 * height * Math.exp(-0.057 / height);
}
