import { nearestIndex } from '../../chart/nearest.ts';
import type { Line, LineKind } from '../../chart/lines.ts';

/** A line in words. Values are in the displayed unit; null when there is none. */
export interface LegendRow {
  key: string;
  /** Key of the chosen channel: its own, or that which it is compared with. */
  of: string;
  /** Of what is compared. */
  kind?: LineKind;
  /** Listed but not drawn. */
  isHidden: boolean;
  /** House or time where it must be told from another; empty otherwise. */
  place: string;
  device: string;
  name: string;
  unit: string;
  look: number;
  /** Decimal places for this unit. */
  digits: number;
  value: number | null;
  /** Time of the newest value, epoch ms; null for the value under the pointer and for an earlier time. */
  newest_ms: number | null;
  /** How long after its time the newest value passes as the present one. */
  freshFor_ms: number;
  /** Mean over time; null for directions. */
  mean: number | null;
  least: number | null;
  most: number | null;
  /** Total over the span; null for quantities that do not add up. */
  sum: Sum | null;
}

/** Where and when a line was measured, as far as it must be told from others. */
export function placed({ place, device }: Pick<LegendRow, 'place' | 'device'>): string {
  return [place, device].filter(Boolean).join(' · ');
}

/** In a wire unit. */
export interface Sum {
  value: number;
  unit: string;
}

/** The value of a line at a time: its nearest sample; null in a gap or when that is further than `withinMs`. */
export function valueAt(line: Pick<Line, 'times' | 'values'>, atMs: number, withinMs: number): number | null {
  const index = nearestIndex(line.times, atMs);
  const time = line.times[index];
  return time === undefined || Math.abs(time - atMs) > withinMs ? null : (line.values[index] ?? null);
}

/** The latest value with its time, even when a gap follows. */
export function newestOf({ times, values }: Pick<Line, 'times' | 'values'>): {
  value: number | null;
  time_ms: number | null;
} {
  const index = values.findLastIndex((value) => value !== null);
  return { value: values[index] ?? null, time_ms: times[index] ?? null };
}

export function rangeOf({ values, band }: Pick<Line, 'values' | 'band'>): {
  least: number | null;
  most: number | null;
} {
  let least: number | null = null;
  let most: number | null = null;
  for (const value of band?.least ?? values) if (value !== null && (least === null || value < least)) least = value;
  for (const value of band?.most ?? values) if (value !== null && (most === null || value > most)) most = value;
  return { least, most };
}

const hourMs = 3_600_000;

/** Area under a line, in its unit times hours, and the hours covered: trapezoidal rule, gaps excluded. */
function area(
  { times, values }: Pick<Line, 'times' | 'values'>,
  of: (value: number) => number = (value) => value,
): { area: number; hours: number } {
  let sum = 0;
  let hours = 0;
  for (let index = 1; index < times.length; index += 1) {
    const [before, value] = [values[index - 1] ?? null, values[index] ?? null];
    if (before === null || value === null) continue;
    const passed_h = ((times[index] ?? 0) - (times[index - 1] ?? 0)) / hourMs;
    sum += ((of(before) + of(value)) / 2) * passed_h;
    hours += passed_h;
  }
  return { area: sum, hours };
}

/** The mean over covered time; null when that is zero, and for directions. */
export function meanOf(line: Pick<Line, 'times' | 'values' | 'unit'>): number | null {
  const { area: sum, hours } = area(line);
  return hours === 0 || line.unit === '°' ? null : sum / hours;
}

/** How a wire unit adds up over time: the unit of the sum, and the sum of one hour at 1. */
const sums: Record<string, readonly [unit: string, perHour: number]> = {
  'W/m2': ['J/cm2', 0.36], // 3,600 J/m2
  'umol/m2/s': ['mol/m2', 0.0036],
  'mm/h': ['mm', 1],
  'l/h': ['l', 1],
  W: ['kWh', 0.001],
};

/** The light sum, rain, water, energy or degree hours above `base_c` of a series in its wire unit. */
export function sumOf(
  { unit, ...line }: Pick<Line, 'times' | 'values'> & { unit: string | null },
  base_c: number,
): Sum | null {
  const to = sums[unit ?? ''];
  if (unit === 'C') {
    const { area: value, hours } = area(line, (warmth) => Math.max(0, warmth - base_c));
    return hours === 0 ? null : { value, unit: 'K h' };
  }
  const { area: value, hours } = area(line);
  return to === undefined || hours === 0 ? null : { value: value * to[1], unit: to[0] };
}
