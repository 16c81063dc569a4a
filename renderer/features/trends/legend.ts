import { nearestIndex } from '../../chart/nearest.ts';
import type { Line } from '../../chart/plot.ts';

/** A line in words. Figures are in the shown unit; null where there is none. */
export interface LegendRow {
  key: string;
  device: string;
  name: string;
  unit: string;
  look: number;
  value: number | null;
  least: number | null;
  most: number | null;
}

/** The value of a line at a time: its nearest sample, none in a gap or further away than `within_ms`. */
export function valueAt(line: Pick<Line, 'times' | 'values'>, at_ms: number, within_ms: number): number | null {
  const index = nearestIndex(line.times, at_ms);
  const time = line.times[index];
  return time === undefined || Math.abs(time - at_ms) > within_ms ? null : (line.values[index] ?? null);
}

/** The newest value, also where the line has a gap after it. */
export function newestOf({ values }: Pick<Line, 'values'>): number | null {
  return values.findLast((value) => value !== null) ?? null;
}

export function rangeOf({ values }: Pick<Line, 'values'>): { least: number | null; most: number | null } {
  let least: number | null = null;
  let most: number | null = null;
  for (const value of values) {
    if (value === null) continue;
    if (least === null || value < least) least = value;
    if (most === null || value > most) most = value;
  }
  return { least, most };
}
