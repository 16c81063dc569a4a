import { clockOf, minuteOf } from '../../../server/contract/clock-time.ts';
import type { MethodPreview } from '../../../server/contract/method.ts';

/** A point of the day in the editor. */
export interface DayPoint {
  /** HH:MM */
  at: string;
  value: number;
  /** In a smooth curve: the handle of the incoming curve, and that of the outgoing. */
  before?: Handle | undefined;
  after?: Handle | undefined;
}

/** Minutes from its point, and the value there. */
interface Handle {
  minutes: number;
  value: number;
}

/** How points are joined. */
export type DayLine = 'linear' | 'step' | 'sine' | 'bezier';

/** Drawing units of the picture; its width is one day. */
export const picture = { width: 480, height: 160, pad: 20 } as const;
const minutesOfDay = 1_440;
/** The editor moves points in steps of this many minutes. */
const step_min = 5;

export interface Range {
  least: number;
  most: number;
}

/** The range of values in the picture, with a margin. */
export function rangeOf(values: readonly number[]): Range {
  if (values.length === 0) return { least: 0, most: 1 };
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = Math.max((most - least) * 0.15, 1);
  return { least: least - room, most: most + room };
}

/** All values that the picture must include. */
export function valuesOf(points: readonly DayPoint[]): number[] {
  return points.flatMap(({ value, before, after }) => [value, before?.value ?? value, after?.value ?? value]);
}

export function xOf(at: string): number {
  return xAt(minuteOf(at));
}

export function xAt(minutes: number): number {
  return picture.pad + (minutes / minutesOfDay) * (picture.width - 2 * picture.pad);
}

export function yOf(value: number, { least, most }: Range): number {
  return picture.height - picture.pad - ((value - least) / (most - least)) * (picture.height - 2 * picture.pad);
}

/** The point at a position in the picture, rounded to a step and a tenth, within the day and the range. */
export function pointAt(x: number, y: number, range: Range): DayPoint {
  const share = (x - picture.pad) / (picture.width - 2 * picture.pad);
  const minutes = Math.round((share * minutesOfDay) / step_min) * step_min;
  return { at: clockOf(Math.min(minutesOfDay - step_min, Math.max(0, minutes))), value: valueAtY(y, range) };
}

/** The value at a height in the picture, rounded to a tenth, within the range. */
export function valueAtY(y: number, { least, most }: Range): number {
  const height = (picture.height - picture.pad - y) / (picture.height - 2 * picture.pad);
  return tenth(least + Math.min(1, Math.max(0, height)) * (most - least));
}

/** Values move in tenths of their unit. */
export const tenth = (value: number): number => Math.round(value * 10) / 10;

/** What can be dragged: a point, or a handle of one. */
export interface Knob extends DayPoint {
  index: number;
  part: 'point' | 'before' | 'after';
  /** Minute of the day. */
  at_min: number;
  /** Where its arm ends; beyond midnight when it leaves the day. */
  drawn_min: number;
  /** The point that a handle belongs to; absent for a point. */
  from?: { at_min: number; value: number };
}

export function knobsOf(points: readonly DayPoint[], line: DayLine): Knob[] {
  return points.flatMap((point, index): Knob[] => {
    const from = { at_min: minuteOf(point.at), value: point.value };
    const own: Knob = { ...point, index, part: 'point', at_min: from.at_min, drawn_min: from.at_min };
    if (line !== 'bezier') return [own];
    const handles = (['before', 'after'] as const).flatMap((part): Knob[] => {
      const handle = point[part];
      if (handle === undefined) return [];
      const drawn_min = from.at_min + (part === 'after' ? handle.minutes : -handle.minutes);
      const at_min = (drawn_min + minutesOfDay) % minutesOfDay;
      return [{ at: clockOf(Math.round(at_min)), value: handle.value, index, part, at_min, drawn_min, from }];
    });
    return [...handles, own];
  });
}

/** A knob moved by time steps and tenths of its value, wrapping at midnight. */
export function stepped({ at_min, value }: Pick<Knob, 'at_min' | 'value'>, steps: number, tenths: number): DayPoint {
  const moved = (Math.round(at_min) + steps * step_min + minutesOfDay) % minutesOfDay;
  return { at: clockOf(moved), value: tenth(value + tenths / 10) };
}

/** The points with one knob moved. A point takes its handles along; a handle stays on its side of the point. */
export function movedTo(
  points: readonly DayPoint[],
  { index, part, from }: Pick<Knob, 'index' | 'part' | 'from'>,
  { at, value }: DayPoint,
): DayPoint[] {
  return points.map((point, which): DayPoint => {
    if (which !== index) return point;
    if (part === 'point' || from === undefined) return carried(point, { at, value });
    const away = (part === 'after' ? 1 : -1) * (minuteOf(at) - from.at_min);
    const minutes = (away + minutesOfDay) % minutesOfDay;
    // More than half a day means that it was dragged across its point.
    return { ...point, [part]: { minutes: minutes > minutesOfDay / 2 ? 0 : minutes, value } };
  });
}

function carried(point: DayPoint, { at, value }: DayPoint): DayPoint {
  const rise = value - point.value;
  const along = (handle: Handle): Handle => ({ ...handle, value: tenth(handle.value + rise) });
  const { before, after } = point;
  return { at, value, ...(before && { before: along(before) }), ...(after && { after: along(after) }) };
}

/** Sorted by time of day. */
export function inOrder(points: readonly DayPoint[]): DayPoint[] {
  return [...points].sort((a, b) => a.at.localeCompare(b.at));
}

/** The path through the points of a day, across midnight; empty without points. Smooth paths extend beyond the day. */
export function dayPath(points: readonly DayPoint[], range: Range, line: DayLine = 'linear'): string {
  if (line === 'sine' || line === 'bezier') return smoothPath(inOrder(points), range, line);
  const day = inOrder(points);
  const [first, last] = [day[0], day.at(-1)];
  if (first === undefined || last === undefined) return '';
  const midnight = line === 'step' ? last.value : valueAtMidnight(first, last);
  const places: [x: number, y: number][] = [
    [picture.pad, yOf(midnight, range)],
    ...day.map(({ at, value }): [number, number] => [xOf(at), yOf(value, range)]),
    [picture.width - picture.pad, yOf(midnight, range)],
  ];
  const [begin, ...rest] = places.map(([x, y]) => [x.toFixed(1), y.toFixed(1)] as const);
  return `M${begin?.join(',')}${rest.map(([x, y]) => (line === 'step' ? `H${x}V${y}` : `L${x},${y}`)).join('')}`;
}

/**
 * Handle position, as a fraction of the distance between two points, at which a cubic Bezier looks like half a cosine.
 */
const cosineHandle = 0.3642;

/** Cubic Beziers from point to point, from the day before to the day after; clip what lies outside the day. */
function smoothPath(day: readonly DayPoint[], range: Range, line: 'sine' | 'bezier'): string {
  const knots = [-1, 0, 1].flatMap((shift) =>
    day.map((point) => ({ ...point, minutes: minuteOf(point.at) + shift * minutesOfDay })),
  );
  const place = (minutes: number, value: number): string =>
    `${xAt(minutes).toFixed(1)},${yOf(value, range).toFixed(1)}`;
  const [first, ...rest] = knots;
  if (first === undefined) return '';
  const parts = rest.map((to, index) => {
    const from = knots[index] ?? first;
    const gap = to.minutes - from.minutes;
    const handle = (given: Handle | undefined, value: number): Handle =>
      line === 'sine' ? { minutes: cosineHandle * gap, value } : (given ?? { minutes: 0, value });
    const [leaves, comes] = [handle(from.after, from.value), handle(to.before, to.value)];
    const middle = place(from.minutes + Math.min(gap, leaves.minutes), leaves.value);
    return `C${middle} ${place(to.minutes - Math.min(gap, comes.minutes), comes.value)} ${place(to.minutes, to.value)}`;
  });
  return `M${place(first.minutes, first.value)}${parts.join('')}`;
}

function valueAtMidnight(first: DayPoint, last: DayPoint): number {
  const gap = minuteOf(first.at) + minutesOfDay - minuteOf(last.at);
  const share = gap === 0 ? 0 : (minutesOfDay - minuteOf(last.at)) / gap;
  return last.value + share * (first.value - last.value);
}

/** Drawing units of a row of the day, without padding. */
export const rowPicture: Frame = { width: 480, height: 44, pad: 0 };

interface Frame {
  width: number;
  height: number;
  /** Free on all sides. */
  pad: number;
}

/** The minimum and maximum setpoint of a preview; null when it has none. */
export function previewRange({ values }: Pick<MethodPreview, 'values'>): Range | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : { least: Math.min(...known), most: Math.max(...known) };
}

/** The path of a preview; it breaks where there is no setpoint. */
export function previewPath(
  { times, values }: Pick<MethodPreview, 'times' | 'values'>,
  { width, height, pad }: Frame = picture,
): string {
  const range = rangeOf(values.filter((value) => value !== null));
  const [from = 0, to = 1] = [times[0], times.at(-1)];
  let isOpen = false;
  return times
    .map((time, index) => {
      const value = values[index] ?? null;
      const letter = isOpen ? 'L' : 'M';
      isOpen = value !== null;
      if (value === null) return '';
      const x = pad + ((time - from) / (to - from)) * (width - 2 * pad);
      const y = height - pad - ((value - range.least) / (range.most - range.least)) * (height - 2 * pad);
      return `${letter}${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join('');
}
