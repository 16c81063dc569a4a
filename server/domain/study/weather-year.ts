import type { Assumption } from '../../contract/facility.ts';
import { climateAt } from '../climate/normals.ts';
import { weatherAt } from '../climate/weather.ts';
import { weatherOfYear, type WeatherYear as RecordedYear } from '../climate/weather-year.ts';
import type { WeatherYear } from './house.ts';
import { noteOf } from '../../contract/assumption-note.ts';

/** Degrees, and the height above the sea if known; 0, 0 without a place. */
interface YearPlace {
  lat?: number | undefined;
  lng?: number | undefined;
  elevation_m?: number | undefined;
}

const hourMs = 3_600_000;
/** A year of 365 days; which one makes no difference to a place's weather. */
const firstHourMs = Date.UTC(2025, 0, 1, 0, 30);

/** The year of weather of a place, hour by hour in its own solar time. */
export function yearAt({ lat = 0, lng = 0, elevation_m }: YearPlace): WeatherYear {
  const startMs = firstHourMs - (lng / 15) * hourMs;
  return Array.from({ length: 8760 }, (_, hour) => {
    const { temp_c, humidity_pct, radiation_w_m2 } = weatherAt(lat, startMs + hour * hourMs, lng, elevation_m);
    return { temp_c, humidity_pct, radiation_w_m2 };
  });
}

/** A recorded year, each hour as in its middle, in the local standard time of the file. */
export function recordedYear(recorded: RecordedYear): WeatherYear {
  const startMs = firstHourMs - recorded.utc_offset_h * hourMs;
  return recorded.hours.map((_, hour) => {
    const { temp_c, humidity_pct, radiation_w_m2 } = weatherOfYear(recorded, startMs + hour * hourMs);
    return { temp_c, humidity_pct, radiation_w_m2 };
  });
}

/** The climate behind the year. */
export function weatherSource({ lat = 0, lng = 0, elevation_m }: YearPlace): Assumption {
  const { station, distance_km } = climateAt({ lat, lng, elevation_m });
  if (station === null) {
    return { value: 'latitude', unit: null, source: 'assumed', ...noteOf('weather_by_latitude') };
  }
  const { name, source } = station;
  const why = noteOf('weather_by_station', { station: name, distance_km: Math.round(distance_km), source });
  return { value: name, unit: null, source: 'nearest_station', ...why };
}
