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
  /** The part of the span so far that was measured, 0 to 1: the rest is not in the sum. */
  covered: number;
}

/** Key of the row of a chosen channel, or of what it is compared with. */
export function rowKey(of: string, kind?: LineKind): string {
  return kind === undefined ? of : `${of} ${kind}`;
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

/**
 * Area under a line, in its unit times hours, the hours covered, and the mean of the steps, h: trapezoidal rule, gaps
 * excluded.
 */
function area({ times, values }: Pick<Line, 'times' | 'values'>): { area: number; hours: number; step_h: number } {
  let sum = 0;
  let hours = 0;
  let steps = 0;
  for (let index = 1; index < times.length; index += 1) {
    const [before, value] = [values[index - 1] ?? null, values[index] ?? null];
    if (before === null || value === null) continue;
    const passed_h = ((times[index] ?? 0) - (times[index - 1] ?? 0)) / hourMs;
    sum += ((before + value) / 2) * passed_h;
    hours += passed_h;
    steps += 1;
  }
  return { area: sum, hours, step_h: hours / steps };
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

/**
 * The light sum, rain, water or energy of a series in its wire unit. `length_ms` is that of the span until now; the
 * last sample stands for as long as the usual one.
 */
export function sumOf(
  { unit, ...line }: Pick<Line, 'times' | 'values'> & { unit: string | null },
  length_ms: number,
): Sum | null {
  const to = sums[unit ?? ''];
  const { area: value, hours, step_h } = area(line);
  if (to === undefined || hours === 0) return null;
  return { value: value * to[1], unit: to[0], covered: Math.min(1, ((hours + step_h) * hourMs) / length_ms) };
}
