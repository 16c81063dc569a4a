import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { weatherAt, type Weather } from '../../server/domain/climate/weather.ts';
import { readWeatherCsv } from '../../server/domain/climate/weather-file.ts';
import { weatherOfYear } from '../../server/domain/climate/weather-year.ts';
import type { Place } from '../../server/domain/solar/sun-day.ts';

export interface ClimateSite {
  name: string;
  place: Place;
  weatherAt: (atMs: number) => Weather;
  /** A midnight of January there, epoch ms. */
  january_ms: number;
}

/** Where the year of weather was measured. */
export const chicago = { lat: 41.983, lng: -87.917, time_zone: 'Etc/GMT+6' };
const chicagoYear = join(import.meta.dirname, '../fixtures/weather/chicago-tmy3.csv');

/** The year of the tests, or that of the file which CLIMATE_WEATHER names. */
export function yearSite(file = process.env['CLIMATE_WEATHER'] ?? chicagoYear): ClimateSite {
  const year = readWeatherCsv(readFileSync(file, 'utf8'), { utc_offset_h: -6 });
  const january_ms = Date.UTC(2026, 0, 1, 6);
  return { name: 'the year', place: chicago, weatherAt: (atMs) => weatherOfYear(year, atMs), january_ms };
}

/** Other places by their typical weather: what helps in one year alone is no better control. */
export const elsewhere: readonly ClimateSite[] = [
  { name: 'Helsinki', lat: 60.17, lng: 24.94, east_h: 2 },
  { name: 'Seoul', lat: 37.57, lng: 126.98, east_h: 9 },
  { name: 'Seville', lat: 37.39, lng: -5.98, east_h: 1 },
].map(({ name, lat, lng, east_h }) => ({
  name,
  place: { lat, lng, time_zone: `Etc/GMT-${east_h}` },
  weatherAt: (atMs) => weatherAt(lat, atMs, lng),
  january_ms: Date.UTC(2026, 0, 1) - east_h * 3_600_000,
}));
