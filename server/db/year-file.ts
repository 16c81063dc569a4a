import { readFileSync, statSync } from 'node:fs';
import { mostBytes, readEpw, readWeatherCsv, WeatherFileError } from '../domain/climate/weather-file.ts';
import type { WeatherYear } from '../domain/climate/weather-year.ts';

/**
 * Reads a year of weather; for a worker thread, as 8,760 lines would block an event loop. `utc_offset_h` is that of a
 * CSV file's hours; an EPW file states it itself. Throws WeatherFileError for anything but a year, and the system's
 * error.
 */
export function readYearFile(file: string, utc_offset_h: number): WeatherYear {
  const stats = statSync(file);
  if (!stats.isFile()) throw new WeatherFileError(null, 'is no file');
  if (stats.size > mostBytes) throw new WeatherFileError(null, 'is longer than a year of weather can be');
  return readYear(file, readFileSync(file, 'utf8'), utc_offset_h);
}

/** The same from a text, by the ending of its name. Throws WeatherFileError. */
export function readYear(name: string, text: string, utc_offset_h: number): WeatherYear {
  return name.toLowerCase().endsWith('.epw') ? readEpw(text) : readWeatherCsv(text, { utc_offset_h });
}
