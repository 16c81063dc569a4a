import type uPlot from 'uplot';
import type { Lane, Line } from './lines.ts';

/** Minimum height of a readable lane, px. */
export const laneHeight_px = 96;
/** Free below its lines, as a share of their height. */
const air = 0.12;

export const laneOf = ({ lane, unit }: Pick<Line, 'lane' | 'unit'>): string => lane?.key ?? unit;

/** The lanes of the lines, in order of first use. */
export function lanesOf(lines: readonly Line[]): Lane[] {
  return [...Map.groupBy(lines, laneOf)].map(([key, [first, ...others]]) => {
    const title = first?.lane?.title ?? first?.unit ?? '';
    const digits = [first, ...others].map((line) => line?.lane?.digits);
    // With the finest of its sensors; one whose digits are unknown may be finer.
    return digits.includes(undefined) ? { key, title } : { key, title, digits: Math.max(...digits.map(Number)) };
  });
}

/**
 * The scale that maps `low`…`high` into lane `index` of `count`, counted from the top, below the share `head` of the
 * lane that its title takes.
 */
export function laneScale(
  low: number,
  high: number,
  { index, count, head }: { index: number; count: number; head: number },
): uPlot.Range.MinMax {
  // A constant line runs through the middle.
  const room = high > low ? (high - low) * air : Math.max(1, Math.abs(low) * 0.1);
  const height = high > low ? (high - low + room) / (1 - head) : 2 * room;
  const min = low - room - height * (count - 1 - index);
  return [min, min + height * count];
}

/**
 * The step between marks: no less than the last digit of the values, between which nothing lies, unless a lane of that
 * height would have no two marks: means are finer than their values.
 */
export function laneStep(step: number, { digits }: Pick<Lane, 'digits'>, height: number): number {
  const least = digits === undefined ? step : 10 ** -digits;
  return height < 2 * least ? step : Math.max(step, least);
}

/** Axis marks within the lane, at whole steps; none so close to its edge that it collides with the next lane's. */
export function laneMarks(min: number, max: number, step: number, index: number, count: number): number[] {
  const height = (max - min) / count;
  const low = min + height * (count - 1 - index) + height * 0.06;
  const high = low + height * 0.88;
  const marks: number[] = [];
  for (let at = Math.ceil(low / step); at * step <= high; at += 1) marks.push(Number((at * step).toPrecision(12)));
  return marks;
}
