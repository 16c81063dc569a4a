import { getTimes } from 'suncalc';
import type { Temporal } from 'temporal-polyfill';

/** The location of a site and its time zone. */
export interface Place {
  lat: number;
  lng: number;
  /** IANA name. */
  time_zone: string;
}

/** The sun on one date, epoch ms, in this order. */
export interface SunDay {
  sunrise_ms: number;
  noon_ms: number;
  sunset_ms: number;
  /** The sun stays up (`day`) or down (`night`); null when it rises and sets. */
  polar: 'day' | 'night' | null;
}

const halfDayMs = 43_200_000;

/**
 * Sunrise, solar noon and sunset on a date of the site's calendar, to about a second: the upper limb at the horizon
 * with 34' of refraction, altitude -0.833 degrees (Meeus 1998, Astronomical Algorithms, chapter 15). While the sun
 * stays up all day, it rises and sets at the midnights around noon; while it stays down, both are at noon. So the
 * length of the day changes without artificial jumps.
 */
export function sunDay(date: Temporal.PlainDate, { lat, lng, time_zone }: Place): SunDay {
  const midday = date.toZonedDateTime({ timeZone: time_zone, plainTime: '12:00' }).epochMilliseconds;
  const { sunrise, sunset, solarNoon, alwaysUp, alwaysDown } = getTimes(new Date(midday), lat, lng);
  const noonMs = solarNoon.getTime();
  const halfMs = alwaysDown === true ? 0 : halfDayMs;
  return {
    sunrise_ms: Math.min(sunrise?.getTime() ?? noonMs - halfMs, noonMs),
    noon_ms: noonMs,
    sunset_ms: Math.max(sunset?.getTime() ?? noonMs + halfMs, noonMs),
    polar: alwaysUp === true ? 'day' : alwaysDown === true ? 'night' : null,
  };
}
