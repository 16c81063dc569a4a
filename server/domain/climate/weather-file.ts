import { CsvError, parse } from 'csv-parse/sync';
import { why, type Said } from '../../contract/refusal-reason.ts';
import type { HourOfWeather, WeatherYear } from './weather-year.ts';

/** A file that is not a year of weather. `line` counts from 1; null when the whole file is at fault. */
export class WeatherFileError extends Error {
  readonly code = 'invalid_weather_file';
  readonly line: number | null;

  constructor(line: number | null, message: string) {
    super(line === null ? message : `line ${line}: ${message}`);
    this.name = 'WeatherFileError';
    this.line = line;
  }

  /** For a refusal. */
  get said(): Said {
    const { line, message } = this;
    return { ...(line === null ? why('weather_file') : why('weather_line', { line })), message };
  }
}

/** Hours of a year without a leap day. */
const hoursOfYear = 8760;
/** Maximum bytes of a file; a year in either format has about 2 MB. */
export const mostBytes = 20_000_000;

/** A column: its place, its range, and how the format marks a missing value. */
interface Field {
  name: keyof HourOfWeather;
  low: number;
  high: number;
  missing: number;
  /** Replaces a missing value; without it a missing value is a fault. */
  otherwise?: number;
}

const fields: readonly Field[] = [
  { name: 'temp_c', low: -90, high: 70, missing: 99.9 },
  { name: 'humidity_pct', low: 0, high: 110, missing: 999 },
  { name: 'radiation_w_m2', low: 0, high: 1500, missing: 9999 },
  { name: 'wind_m_s', low: 0, high: 60, missing: 999, otherwise: 0 },
  { name: 'wind_dir_deg', low: 0, high: 360, missing: 999, otherwise: 0 },
  { name: 'rain_mm_h', low: 0, high: 500, missing: 999, otherwise: 0 },
];

type Columns = Record<keyof HourOfWeather, number | null>;

/**
 * Lines of an EPW file before its hours, and places in a line: EnergyPlus, Auxiliary Programs, "EPW data dictionary".
 */
const epwHeaderLines = 8;
const epwColumns: Columns = {
  temp_c: 6,
  humidity_pct: 8,
  radiation_w_m2: 13,
  wind_dir_deg: 20,
  wind_m_s: 21,
  rain_mm_h: 33,
};

/**
 * Reads an EnergyPlus weather file (EPW): its place and 8,760 hours in local standard time. A 29 February is left out.
 * Throws WeatherFileError.
 */
export function readEpw(text: string): WeatherYear {
  const rows = rowsOf(text);
  const [title, , , , , , lat, lng, utc_offset_h, elevation_m] = rows[0] ?? [];
  const place = [lat, lng, utc_offset_h, elevation_m].map((one) => Number(one?.trim() || NaN));
  const [north = NaN, east = NaN, offset = NaN, height = NaN] = place;
  if (title !== 'LOCATION' || !place.every(Number.isFinite) || Math.abs(north) > 90 || Math.abs(east) > 180) {
    throw new WeatherFileError(1, 'is no LOCATION of an EPW file');
  }
  const hours = rows
    .map((row, index) => ({ row, line: index + 1 }))
    .slice(epwHeaderLines)
    .filter(({ row }) => !(Number(row[1]) === 2 && Number(row[2]) === 29))
    .map(({ row, line }) => hourOf(row, epwColumns, line));
  return { place: { lat: north, lng: east, elevation_m: height }, utc_offset_h: offset, hours: wholeYear(hours) };
}

/** Names of the columns of a CSV file; wind, its direction and rain may be absent. */
const csvNames: Record<keyof HourOfWeather, string> = {
  temp_c: 'temp_c',
  humidity_pct: 'humidity_pct',
  radiation_w_m2: 'global_radiation_w_m2',
  wind_m_s: 'wind_m_s',
  wind_dir_deg: 'wind_dir_deg',
  rain_mm_h: 'rain_mm',
};

/**
 * Reads a CSV file of 8,760 hours, the first ending at 1:00 on 1 January in local standard time, with a header line:
 * temp_c, humidity_pct, global_radiation_w_m2, and wind_m_s, wind_dir_deg and rain_mm if known. Other columns are
 * ignored. Throws WeatherFileError.
 */
export function readWeatherCsv(text: string, { utc_offset_h }: { utc_offset_h: number }): WeatherYear {
  const [names = [], ...rows] = rowsOf(text);
  const columns = Object.fromEntries(
    fields.map(({ name, otherwise }) => {
      const at = names.indexOf(csvNames[name]);
      if (at === -1 && otherwise === undefined) throw new WeatherFileError(1, `has no column ${csvNames[name]}`);
      return [name, at === -1 ? null : at];
    }),
  ) as Columns; // every field is there
  const hours = rows.map((row, index) => hourOf(row, columns, index + 2));
  return { place: null, utc_offset_h, hours: wholeYear(hours) };
}

function rowsOf(text: string): string[][] {
  if (text.length > mostBytes) throw new WeatherFileError(null, 'is longer than a year of weather can be');
  try {
    return parse(text, { bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true });
  } catch (error) {
    if (error instanceof CsvError) throw new WeatherFileError(null, error.message);
    throw error;
  }
}

function hourOf(row: readonly string[], columns: Columns, line: number): HourOfWeather {
  const read = ({ name, low, high, missing, otherwise }: Field): number => {
    const at = columns[name];
    const said = at === null ? '' : (row[at]?.trim() ?? '');
    const value = said === '' ? missing : Number(said);
    if (value === missing && otherwise !== undefined) return otherwise;
    if (value >= low && value <= high && value !== missing) return value;
    throw new WeatherFileError(line, `${name} is ${said === '' ? 'missing' : said}, not ${low} to ${high}`);
  };
  return Object.fromEntries(fields.map((field) => [field.name, read(field)])) as unknown as HourOfWeather; // every field is there
}

function wholeYear(hours: HourOfWeather[]): HourOfWeather[] {
  if (hours.length === hoursOfYear) return hours;
  throw new WeatherFileError(null, `has ${hours.length} hours, a year has ${hoursOfYear}`);
}
