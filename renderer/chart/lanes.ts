import type uPlot from 'uplot';
import type { Lane, Line } from './lines.ts';

/** Height that a lane needs to be read, px. */
export const laneHeight_px = 96;
/** Part of a lane that stays free above and below its lines. */
const air = 0.12;

export const laneOf = ({ lane, unit }: Pick<Line, 'lane' | 'unit'>): string => lane?.key ?? unit;

/** The lanes of lines, in the order in which these come. */
export function lanesOf(lines: readonly Line[]): Lane[] {
  const found = new Map<string, Lane>();
  for (const line of lines) {
    const key = laneOf(line);
    if (!found.has(key)) found.set(key, { key, title: line.lane?.title ?? line.unit });
  }
  return [...found.values()];
}

/** The scale by which what lies between `low` and `high` falls into the lane at `index` of `count`, the first on top. */
export function laneScale(low: number, high: number, index: number, count: number): uPlot.Range.MinMax {
  // A line that stays at one value lies in the middle.
  const room = high > low ? (high - low) * air : Math.max(1, Math.abs(low) * 0.1);
  const height = high - low + 2 * room;
  const min = low - room - height * (count - 1 - index);
  return [min, min + height * count];
}

/** The marks of an axis that lie within its lane, at whole steps; none so near to its edge that they meet those of the next. */
export function laneMarks(min: number, max: number, step: number, index: number, count: number): number[] {
  const height = (max - min) / count;
  const low = min + height * (count - 1 - index) + height * 0.06;
  const high = low + height * 0.88;
  const marks: number[] = [];
  for (let at = Math.ceil(low / step); at * step <= high; at += 1) marks.push(Number((at * step).toPrecision(12)));
  return marks;
}
