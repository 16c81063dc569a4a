import { getPosition } from 'suncalc';
import { outdoorCo2_ppm, saturationPressure_pa } from './air.ts';
import { climateAt, type Climate } from './normals.ts';
import { clearSky_w_m2, cloudiness, cloudsOf, passedByCloud } from './sky.ts';
import { wave } from './wave.ts';
import { wind_m_s, windFrom_deg } from './wind.ts';

/** Weather outside, as the simulated weather station reads it. */
export interface Weather {
  temp_c: number;
  humidity_pct: number;
  co2_ppm: number;
  /** Global radiation on a horizontal surface, W/m2. */
  radiation_w_m2: number;
  wind_m_s: number;
  /** Where the wind comes from, degrees clockwise from north, 0 to below 360. */
  wind_dir_deg: number;
  rain_mm_h: number;
}

const dayMs = 86_400_000;
const year_d = 365.2425;
const circle = 2 * Math.PI;

/**
 * Weather of a place and moment: the position of the sun, means and daily ranges of the nearest climate station, days
 * that warm until three in the afternoon, and passing weather of a few days from fixed waves, the same in every run.
 * Over a month the temperatures average to the station's normals, and the radiation to what its daily range stands for;
 * the dew point is near the night's least (FAO-56, eq. 48). Continuous in time.
 *
 * @param lat_deg -90 to 90
 * @param epochMs milliseconds since 1970, UTC
 * @param lng_deg -180 to 180; it sets the solar time
 * @param elevation_m height of the place above the sea; default the station's
 */
export function weatherAt(lat_deg: number, epochMs: number, lng_deg = 0, elevation_m?: number): Weather {
  const day = epochMs / dayMs + lng_deg / 360;
  const climate = climateAt({ lat: lat_deg, lng: lng_deg, elevation_m });
  const clouds = cloudsOf(climate, lat_deg);
  const cloudy = cloudiness(monthly(clouds.middle, day), day);
  const cloud = Math.min(1, cloudy);
  const meanCloud = monthly(clouds.mean, day);
  const afternoon = Math.cos(circle * (day - 15 / 24));
  const mean_c = monthly(climate.mean_c, day) + passingWeather_k(climate) * wave(day, 5.3, 0.4);
  const range_k = monthly(climate.range_k, day);
  const temp_c = mean_c + (range_k / 2) * clearness(cloud, meanCloud) * afternoon;
  const dew_c = mean_c - range_k / 2 + 3 * (cloud - meanCloud);
  const humidity_pct = Math.min(100, (100 * saturationPressure_pa(dew_c)) / saturationPressure_pa(temp_c));
  return {
    temp_c,
    humidity_pct,
    co2_ppm: outdoorCo2_ppm - 12 * afternoon,
    radiation_w_m2: clearSkyAt_w_m2(lat_deg, lng_deg, epochMs) * passedByCloud(cloud),
    wind_m_s: wind_m_s(day, afternoon),
    wind_dir_deg: windFrom_deg(day),
    rain_mm_h: rain_mm_h_per_cloud * Math.max(0, cloudy - 1),
  };
}

/** An assumption; with it middle latitudes have the 400 to 1000 mm a year that they commonly have. */
const rain_mm_h_per_cloud = 2.5;

/** A day's share of the mean daily range, 1 on average: clear days warm and cool more. */
function clearness(cloud: number, meanCloud: number): number {
  return (1 - 0.6 * cloud) / (1 - 0.6 * meanCloud);
}

/** How far passing weather moves a day from its mean, K: little in the tropics, some degrees where winters differ. */
function passingWeather_k({ mean_c }: Climate): number {
  return Math.min(4, 0.8 + 0.2 * (Math.max(...mean_c) - Math.min(...mean_c)));
}

/**
 * A monthly mean on a day, linear between the middles of the months. The middles are spread so far that the mean of the
 * line over a month is the table's.
 *
 * @param day days since 1970, in solar time
 */
function monthly(means: readonly number[], day: number): number {
  const place = (((day / year_d) % 1) + 1) % 1;
  const month = place * 12 - 0.5;
  const before = Math.floor(month);
  const share = month - before;
  return middleOf(means, before) * (1 - share) + middleOf(means, before + 1) * share;
}

function middleOf(means: readonly number[], month: number): number {
  const at = (index: number): number => means[(index + 12) % 12] ?? 0;
  return at(month) + (2 * at(month) - at(month - 1) - at(month + 1)) / 8;
}

function clearSkyAt_w_m2(lat_deg: number, lng_deg: number, epochMs: number): number {
  return clearSky_w_m2(getPosition(new Date(epochMs), lat_deg, lng_deg).altitude);
}
