import { vectorOf, meanDirection_deg } from '../series/direction.ts';
import { outdoorCo2_ppm } from './air.ts';
import type { Site } from './normals.ts';
import type { Weather } from './weather.ts';

/** An hour, dated by its end: air and wind at that moment, radiation and rain of the hour. */
export interface HourOfWeather {
  temp_c: number;
  humidity_pct: number;
  radiation_w_m2: number;
  wind_m_s: number;
  wind_dir_deg: number;
  rain_mm_h: number;
}

export interface WeatherYear {
  /** Where it was measured; null when the file does not say. */
  place: Site | null;
  /** Local standard time less UTC. */
  utc_offset_h: number;
  /** 8,760, the first ending at 1:00 on 1 January. */
  hours: readonly HourOfWeather[];
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const hoursOfYear = 8760;

/**
 * The weather of a recorded year at a moment of any year; 29 February repeats 28 February. Air and wind are linear from
 * one hour to the next, radiation between the middles of its hours, rain holds for its hour.
 */
export function weatherOfYear({ hours, utc_offset_h }: WeatherYear, epochMs: number): Weather {
  const local = new Date(epochMs + utc_offset_h * hourMs);
  const place = hourOfYear(local);
  const at = (hour: number): HourOfWeather => {
    const found = hours[((hour % hoursOfYear) + hoursOfYear) % hoursOfYear];
    if (found === undefined) throw new RangeError('a year of weather without an hour');
    return found;
  };
  const ended = Math.floor(place); // the hour that ends at `ended` has the index `ended - 1`
  const share = place - ended;
  const [before, after] = [at(ended - 1), at(ended)];
  const middle = Math.floor(place - 0.5);
  const sunShare = place - 0.5 - middle;
  return {
    temp_c: between(before.temp_c, after.temp_c, share),
    humidity_pct: Math.min(100, between(before.humidity_pct, after.humidity_pct, share)),
    co2_ppm: outdoorCo2_ppm,
    radiation_w_m2: between(at(middle).radiation_w_m2, at(middle + 1).radiation_w_m2, sunShare),
    wind_m_s: between(before.wind_m_s, after.wind_m_s, share),
    wind_dir_deg: directionBetween(before, after, share),
    rain_mm_h: after.rain_mm_h,
  };
}

/** Hours since the start of the year, of 365 days. */
function hourOfYear(local: Date): number {
  const year = local.getUTCFullYear();
  const day = Math.floor((local.getTime() - Date.UTC(year, 0, 1)) / dayMs);
  const isLeap = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;
  const counted = isLeap && day >= 59 ? day - 1 : day;
  return counted * 24 + (local.getTime() - Date.UTC(year, 0, 1) - day * dayMs) / hourMs;
}

function between(low: number, high: number, share: number): number {
  return low * (1 - share) + high * share;
}

function directionBetween(before: HourOfWeather, after: HourOfWeather, share: number): number {
  const [one, other] = [vectorOf(before.wind_dir_deg), vectorOf(after.wind_dir_deg)];
  const sum = {
    sin_sum: between(one.sin_sum, other.sin_sum, share),
    cos_sum: between(one.cos_sum, other.cos_sum, share),
  };
  return meanDirection_deg(sum, 1) ?? before.wind_dir_deg;
}
