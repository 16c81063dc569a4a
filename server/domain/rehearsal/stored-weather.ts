import type { StoredDays } from '../../contract/climate-rehearsal.ts';
import { outdoorCo2_ppm } from '../climate/air.ts';
import { weatherAt, type Weather } from '../climate/weather.ts';
import type { Place } from '../solar/sun-day.ts';
import { dayOf } from './days.ts';

/** Means of consecutive steps; null where nothing was measured. */
type Column = readonly (number | null)[];

/** What a house's weather station measured from the first midnight, in steps of `step_s`; null without that sensor. */
export interface StoredQuarters {
  /** Of the days, and the one that ends the last. */
  midnights_ms: readonly number[];
  step_s: number;
  temp_c: Column;
  radiation_w_m2: Column;
  humidity_pct: Column | null;
  wind_m_s: Column | null;
  wind_dir_deg: Column | null;
}

type Told = Pick<StoredDays, 'bridged_h' | 'typical'>;

interface StoredWeather extends Told {
  /** Indexes of days that cannot be run. */
  left_out: ReadonlySet<number>;
  /** The day before a run only warms up the house: it repeats the first day. */
  at: (atMs: number) => Weather;
}

const day_s = 86_400;
/** The longest gap in temperature or radiation that is interpolated; days with a longer one are left out. */
const mostBridged_s = 3600;

/**
 * The weather of days as a house measured it. Gaps in temperature and radiation are interpolated over an hour at most.
 * Unmeasured humidity and wind are replaced by typical weather (`weatherAt`), and `typical` says for how long. CO2
 * outside is today's; there is no rain.
 */
export function storedWeather(stored: StoredQuarters, place: Pick<Place, 'lat' | 'lng'>): StoredWeather {
  const { step_s, midnights_ms } = stored;
  const from_ms = midnights_ms[0] ?? NaN;
  const most = mostBridged_s / step_s;
  const [temp_c, radiation_w_m2] = [bridged(stored.temp_c, most), bridged(stored.radiation_w_m2, most)];
  const dayAt = (index: number): number => dayOf(midnights_ms, from_ms + index * step_s * 1000);
  const left_out = new Set(
    temp_c.flatMap((value, index) => (value === null || radiation_w_m2[index] === null ? [dayAt(index)] : [])),
  );
  const isRun = (index: number): boolean => !left_out.has(dayAt(index));
  const hoursOf = (counts: (index: number) => boolean): number =>
    (temp_c.filter((_, index) => isRun(index) && counts(index)).length * step_s) / 3600;
  const others = { humidity_pct: stored.humidity_pct, wind_m_s: stored.wind_m_s, wind_dir_deg: stored.wind_dir_deg };
  const names = Object.keys(others) as (keyof typeof others)[]; // of the object above
  return {
    left_out,
    bridged_h: hoursOf((index) => stored.temp_c[index] === null || stored.radiation_w_m2[index] === null),
    typical: names.flatMap((what) => {
      const hours = hoursOf((index) => (others[what]?.[index] ?? null) === null);
      return hours > 0 ? [{ what, hours }] : [];
    }),
    at: (askedMs) => {
      const day = dayOf(midnights_ms, askedMs);
      const atMs = day < 0 || left_out.has(day) ? askedMs + day_s * 1000 : askedMs;
      const typical = weatherAt(place.lat, atMs, place.lng);
      const along = (atMs - from_ms) / 1000 / step_s - 0.5; // a mean belongs to the middle of its step
      const read = (column: Column | null): number | null => column && between(column, along);
      return {
        temp_c: read(temp_c) ?? typical.temp_c,
        radiation_w_m2: Math.max(0, read(radiation_w_m2) ?? typical.radiation_w_m2),
        humidity_pct: read(others.humidity_pct) ?? typical.humidity_pct,
        wind_m_s: read(others.wind_m_s) ?? typical.wind_m_s,
        // North lies between 350 and 10 degrees: do not interpolate linearly.
        wind_dir_deg: others.wind_dir_deg?.[Math.round(along)] ?? typical.wind_dir_deg,
        co2_ppm: outdoorCo2_ppm,
        rain_mm_h: 0,
      };
    },
  };
}

/** Interpolates gaps of at most `most` steps. */
function bridged(column: Column, most: number): (number | null)[] {
  const known = column.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
  const filled: (number | null)[] = [...column];
  for (const [at, from] of known.entries()) {
    const to = known[at + 1];
    if (to === undefined || to.index - from.index - 1 > most) continue;
    for (let index = from.index + 1; index < to.index; index += 1)
      filled[index] = from.value + ((to.value - from.value) * (index - from.index)) / (to.index - from.index);
  }
  return filled;
}

/** Linear between two steps; the known one when the other is missing. */
function between(column: Column, place: number): number | null {
  const [low, high] = [Math.floor(place), Math.ceil(place)];
  const [before, after] = [column[low] ?? null, column[high] ?? null];
  if (before === null || after === null) return before ?? after;
  return low === high ? before : before + (after - before) * (place - low);
}
