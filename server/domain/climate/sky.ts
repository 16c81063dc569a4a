import { getPosition } from 'suncalc';
import { extraterrestrial_w_m2 } from '../solar/extraterrestrial.ts';
import type { Climate } from './normals.ts';
import { wave } from './wave.ts';

/** Cloud over a month. */
interface MonthOfCloud {
  /** What passing weather swings about. */
  middle: number;
  /** The resulting share of the sky under cloud. */
  mean: number;
}

/** Twelve months of cloud, January first. */
type Clouds = Readonly<Record<keyof MonthOfCloud, readonly number[]>>;

/**
 * Global radiation under a clear sky, W/m2: Haurwitz (1945), 1098 cos z exp(-0.057 / cos z).
 */
export function clearSky_w_m2(altitude_deg: number): number {
  const height = Math.sin((altitude_deg * Math.PI) / 180);
  return height <= 0 ? 0 : 1098 * height * Math.exp(-0.057 / height);
}

/** Share of the radiation of a clear sky that passes clouds, 0.25 to 1: Kasten & Czeplak (1980), Solar Energy 24. */
export function passedByCloud(cloud: number): number {
  return 1 - 0.75 * cloud ** 3.4;
}

/** Share of the sky under cloud, 0 to 1, in the weather of a day about the middle of its month; above 1 it rains. */
export function cloudiness(middle: number, day: number): number {
  return Math.max(0, middle + 0.6 * wave(day, 3.7, 0.1) + 0.12 * wave(day, 0.37, 0));
}

const known = new WeakMap<Climate, Clouds>();

/** Twelve months, so cloudy that the radiation of each is what its daily range of temperature stands for. */
export function cloudsOf(climate: Climate, lat_deg: number): Clouds {
  const found = known.get(climate);
  if (found !== undefined) return found;
  const all = climate.range_k.map((range_k, month) => monthOf(climate, range_k, { lat_deg, month }));
  const clouds = { middle: all.map(({ middle }) => middle), mean: all.map(({ mean }) => mean) };
  known.set(climate, clouds);
  return clouds;
}

/**
 * Of the radiation above the air the share k * sqrt(range) arrives, k = 0.16, and 0.19 at coasts: Hargreaves & Samani
 * (1985), Applied Engineering in Agriculture 1, as FAO-56 eq. 50.
 */
const hargreaves = { inland: 0.16, coast: 0.19 } as const;
/** Mean cloud of a month without sun. */
const polarNight: MonthOfCloud = { middle: 0.6, mean: 0.58 };

function monthOf(
  climate: Climate,
  range_k: number,
  { lat_deg, month }: { lat_deg: number; month: number },
): MonthOfCloud {
  const { clear, above } = sunOf(lat_deg, month);
  if (clear === 0) return polarNight;
  const k = climate.isCoast ? hargreaves.coast : hargreaves.inland;
  const wanted = (k * Math.sqrt(range_k) * above) / clear;
  return months().find(({ passed }) => passed <= wanted) ?? months().at(-1) ?? polarNight;
}

/** Sums of the 15th of a month, at every quarter of an hour: radiation under a clear sky and above the air. */
function sunOf(lat_deg: number, month: number): { clear: number; above: number } {
  const middle = Date.UTC(2001, month, 15);
  const sums = { clear: 0, above: 0 };
  for (let quarter = 0; quarter < 96; quarter += 1) {
    const atMs = middle + quarter * 900_000;
    sums.clear += clearSky_w_m2(getPosition(new Date(atMs), lat_deg, 0).altitude);
    sums.above += extraterrestrial_w_m2(atMs, { lat: lat_deg, lng: 0 });
  }
  return sums;
}

let table: readonly (MonthOfCloud & { passed: number })[] | undefined;

/** From clear to covered months: what passes the clouds of many days about each middle. */
function months(): readonly (MonthOfCloud & { passed: number })[] {
  table ??= Array.from({ length: 101 }, (_, index) => {
    const middle = -0.5 + index * 0.02;
    const days = Array.from({ length: 1000 }, (_day, at) => Math.min(1, cloudiness(middle, at * 0.37)));
    const meanOf = (of: (cloud: number) => number): number => days.reduce((sum, one) => sum + of(one), 0) / days.length;
    return { middle, mean: meanOf((one) => one), passed: meanOf(passedByCloud) };
  });
  return table;
}
