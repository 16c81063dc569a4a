import { useElementSize, type MaybeComputedElementRef } from '@vueuse/core';
import { computed, type ComputedRef } from 'vue';
import type { ClimatePreview, ClimateSetpoint } from '../../../server/contract/climate-live.ts';
import type { SetpointName } from '../../../server/contract/climate-settings.ts';

/** In drawing units; the words of the levels stand left of it, where no line crosses them. */
export const picture = { height: 180, left: 56, right: 8, top: 12, bottom: 24 } as const;

/** Of a picture for paper, which has no width on a screen. */
const sheetWidth = 720;

/** A drawing unit is a pixel: words keep their size on a phone, and the whole day stays in view. */
export function useDrawnWidth(element: MaybeComputedElementRef): ComputedRef<number> {
  const { width } = useElementSize(element);
  return computed(() => width.value || sheetWidth);
}

export interface Scale {
  width: number;
  from_ms: number;
  to_ms: number;
  least: number;
  most: number;
}

type Column = readonly (number | null)[];

/** Around all that is drawn, with room. */
export function scaleOf(width: number, times: readonly number[], columns: readonly Column[]): Scale {
  const values = columns.flat().filter((value) => value !== null);
  const [least, most] = values.length === 0 ? [0, 1] : [Math.min(...values), Math.max(...values)];
  return { width, from_ms: times[0] ?? 0, to_ms: times.at(-1) ?? 1, least: least - 1, most: most + 1 };
}

export function xOf(atMs: number, { width, from_ms, to_ms }: Scale): number {
  const { left, right } = picture;
  return left + ((atMs - from_ms) / Math.max(1, to_ms - from_ms)) * (width - left - right);
}

export function yOf(value: number, { least, most }: Scale): number {
  const { height, top, bottom } = picture;
  return height - bottom - ((value - least) / (most - least)) * (height - top - bottom);
}

/** Alignment of a label at a moment, so that it stays inside the picture. */
export function anchorOf(atMs: number, scale: Scale): 'middle' | 'end' {
  return xOf(atMs, scale) > scale.width - 24 ? 'end' : 'middle';
}

/** A line through the values; where there is none it is broken. */
export function lineOf(times: readonly number[], column: Column, scale: Scale): string {
  let isDrawn = false;
  const parts = times.map((atMs, index) => {
    const value = column[index] ?? null;
    if (value === null) {
      isDrawn = false;
      return '';
    }
    const part = `${isDrawn ? 'L' : 'M'}${xOf(atMs, scale).toFixed(1)} ${yOf(value, scale).toFixed(1)}`;
    isDrawn = true;
    return part;
  });
  return parts.join('');
}

/** The closed area between two lines. */
export function bandOf(times: readonly number[], [low, high]: readonly [Column, Column], scale: Scale): string {
  const there = lineOf(times, high, scale);
  const back = lineOf(times.toReversed(), low.toReversed(), scale);
  return there === '' || back === '' ? '' : `${there}${back.replace('M', 'L')}Z`;
}

/** Hours after the first midnight that are drawn as marks, as many as there is room for. */
export function hoursOf({ width, from_ms, to_ms }: Scale): number[] {
  const stepMs = (width < 480 ? 6 : 3) * 3_600_000;
  return Array.from({ length: Math.floor((to_ms - from_ms) / stepMs) + 1 }, (_, index) => from_ms + index * stepMs);
}

/** The measured values of a day, at the middle of each quarter hour. */
export interface MeasuredDay {
  times: readonly number[];
  values: Column;
}

/** The mean of each quarter of an hour is drawn. */
const bucketMs = 900_000;

/** Several thermometers as one: the mean of those that spoke. */
export function meanOfSeries(begins: readonly number[], columns: readonly Column[]): MeasuredDay {
  const values = begins.map((_, index) => {
    const known = columns.map((column) => column[index] ?? null).filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  });
  return { times: begins.map((timeMs) => timeMs + bucketMs / 2), values };
}

/** Columns of a preview between two moments, both in it. */
export function cut(
  { times, periods, setpoints }: Pick<ClimatePreview, 'times' | 'periods' | 'setpoints'>,
  [from_ms, to_ms]: readonly [number, number],
) {
  const first = times.findIndex((timeMs) => timeMs >= from_ms);
  const end = times.findLastIndex((timeMs) => timeMs <= to_ms) + 1;
  const of = <Value>(column: readonly Value[]): Value[] => (first === -1 ? [] : column.slice(first, end));
  const { heating_c, ventilation_c } = setpoints;
  return {
    times: of(times),
    periods: of(periods),
    heating: of(heating_c.values),
    ventilation: of(ventilation_c.values),
  };
}

/** A setpoint with its parts at one of the times of a preview. */
export function setpointAt(
  { times, setpoints }: Pick<ClimatePreview, 'times' | 'setpoints'>,
  name: SetpointName,
  atMs: number,
): ClimateSetpoint {
  const at = times.indexOf(atMs);
  const { values, period, shares } = setpoints[name];
  const base = period[at] ?? null;
  return {
    value: values[at] ?? null,
    parts: [
      ...(base === null ? [] : [{ what: 'period' as const, source: null, value: base }]),
      ...shares.map(({ what, source, values: along }) => ({ what, source, value: along[at] ?? 0 })),
    ],
  };
}

/** The place of the time that is nearest. */
export function nearest(times: readonly number[], atMs: number): number {
  const distances = times.map((timeMs) => Math.abs(timeMs - atMs));
  return Math.max(0, distances.indexOf(Math.min(...distances)));
}

/** The measured value in the bucket of a moment; null when there is none. */
export function measuredNear({ times, values }: MeasuredDay, atMs: number): number | null {
  const at = nearest(times, atMs);
  const isWithin = Math.abs((times[at] ?? Infinity) - atMs) <= bucketMs / 2;
  return isWithin ? (values[at] ?? null) : null;
}

/** The moment at a place of the picture, the inverse of `xOf`. */
export function timeOf(x: number, { width, from_ms, to_ms }: Scale): number {
  const { left, right } = picture;
  return from_ms + ((x - left) / (width - left - right)) * (to_ms - from_ms);
}
