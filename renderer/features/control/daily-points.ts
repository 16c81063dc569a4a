import type { MethodPreview } from '../../../server/contract/method.ts';

/** A point of the day as the editor holds it. */
export interface DayPoint {
  /** HH:MM */
  at: string;
  value: number;
}

/** Drawing units of the picture: its width is the day. */
export const picture = { width: 480, height: 160, pad: 20 } as const;
const minutesOfDay = 1_440;
/** The drawn editor moves points in steps of so many minutes. */
const STEP_MIN = 5;

export interface Range {
  least: number;
  most: number;
}

/** What the picture shows of the values, with room around them. */
export function rangeOf(values: readonly number[]): Range {
  if (values.length === 0) return { least: 0, most: 1 };
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const room = Math.max((most - least) * 0.15, 1);
  return { least: least - room, most: most + room };
}

export function xOf(at: string): number {
  return picture.pad + (minutesOf(at) / minutesOfDay) * (picture.width - 2 * picture.pad);
}

export function yOf(value: number, { least, most }: Range): number {
  return picture.height - picture.pad - ((value - least) / (most - least)) * (picture.height - 2 * picture.pad);
}

/** The point at a place of the picture, in whole steps and tenths, within the day and the range. */
export function pointAt(x: number, y: number, { least, most }: Range): DayPoint {
  const share = (x - picture.pad) / (picture.width - 2 * picture.pad);
  const minutes = Math.round((share * minutesOfDay) / STEP_MIN) * STEP_MIN;
  const height = (picture.height - picture.pad - y) / (picture.height - 2 * picture.pad);
  const value = least + Math.min(1, Math.max(0, height)) * (most - least);
  return { at: timeOf(Math.min(minutesOfDay - STEP_MIN, Math.max(0, minutes))), value: Math.round(value * 10) / 10 };
}

/** A point moved by steps of time and tenths of its value. */
export function moved({ at, value }: DayPoint, steps: number, tenths: number): DayPoint {
  const minutes = (minutesOf(at) + steps * STEP_MIN + minutesOfDay) % minutesOfDay;
  return { at: timeOf(minutes), value: Math.round((value + tenths / 10) * 10) / 10 };
}

/** In the order of the day. */
export function inOrder(points: readonly DayPoint[]): DayPoint[] {
  return [...points].sort((a, b) => a.at.localeCompare(b.at));
}

export type DayShape = 'linear' | 'step';

/** The path of a day through its points, over midnight too; empty without points. */
export function dayPath(points: readonly DayPoint[], range: Range, shape: DayShape = 'linear'): string {
  const day = inOrder(points);
  const [first, last] = [day[0], day.at(-1)];
  if (first === undefined || last === undefined) return '';
  const midnight = shape === 'step' ? last.value : valueAtMidnight(first, last);
  const places: [x: number, y: number][] = [
    [picture.pad, yOf(midnight, range)],
    ...day.map(({ at, value }): [number, number] => [xOf(at), yOf(value, range)]),
    [picture.width - picture.pad, yOf(midnight, range)],
  ];
  const [begin, ...rest] = places.map(([x, y]) => [x.toFixed(1), y.toFixed(1)] as const);
  return `M${begin?.join(',')}${rest.map(([x, y]) => (shape === 'step' ? `H${x}V${y}` : `L${x},${y}`)).join('')}`;
}

function valueAtMidnight(first: DayPoint, last: DayPoint): number {
  const gap = minutesOf(first.at) + minutesOfDay - minutesOf(last.at);
  const share = gap === 0 ? 0 : (minutesOfDay - minutesOf(last.at)) / gap;
  return last.value + share * (first.value - last.value);
}

/** The path of a preview; it breaks where there is no setpoint. */
export function previewPath({ times, values }: Pick<MethodPreview, 'times' | 'values'>): string {
  const range = rangeOf(values.filter((value) => value !== null));
  const [from = 0, to = 1] = [times[0], times.at(-1)];
  let isOpen = false;
  return times
    .map((time, index) => {
      const value = values[index] ?? null;
      const letter = isOpen ? 'L' : 'M';
      isOpen = value !== null;
      if (value === null) return '';
      const x = picture.pad + ((time - from) / (to - from)) * (picture.width - 2 * picture.pad);
      return `${letter}${x.toFixed(1)},${yOf(value, range).toFixed(1)}`;
    })
    .join('');
}

function minutesOf(at: string): number {
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  return hours * 60 + minutes;
}

function timeOf(minutes: number): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
