import { groupOf, listOf, type Group } from '../devices/form/option-schema.ts';
import { picture, type DayLine, type Range, yOf } from './daily-points.ts';
import type { Timeline } from './timeline.ts';

/** A complete point of a curve by date or since a start, ms of its timeline. */
export interface SpanPoint {
  /** Index of its entry in the form, where other entries may be incomplete. */
  index: number;
  at_ms: number;
  value: number;
}

/** The range of the picture from left to right, ms of the timeline. */
export interface Stretch {
  from_ms: number;
  to_ms: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Possible distances between axis marks. */
const marksMs = [
  ...[5, 10, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 6, 12].map((hours) => hours * hourMs),
  ...[1, 2, 7, 14, 30, 90, 182, 365].map((days) => days * dayMs),
];
const mostMarks = 6;
/** Room after the last point, to drag it into: a fraction of the whole, at least an hour. */
const roomShare = 0.15;

/** The points of a form that have both time and value. */
export function spanPoints(points: unknown, timeline: Timeline): SpanPoint[] {
  return listOf(points).flatMap((entry, index) => {
    const point = groupOf(entry);
    const atMs = timeline.timeOf(point);
    const { value } = point;
    return atMs === null || typeof value !== 'number' ? [] : [{ index, at_ms: atMs, value }];
  });
}

/** The time range in the picture. */
export function stretchOf(points: readonly SpanPoint[], { least_ms }: Timeline): Stretch {
  const times = points.map(({ at_ms }) => at_ms);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const room = Math.max(hourMs, Math.round((last - first) * roomShare));
  return { from_ms: Math.max(least_ms, first - room), to_ms: last + room };
}

/** How far an arrow key moves a point, and what dragging rounds to, ms. */
export function stepOf({ from_ms, to_ms }: Stretch): number {
  const length = to_ms - from_ms;
  if (length > 100 * dayMs) return dayMs;
  return length > 4 * dayMs ? hourMs : 5 * minuteMs;
}

/** The axis marks and their distance. */
export function marksOf(stretch: Stretch, timeline: Timeline): { at_ms: readonly number[]; step_ms: number } {
  const length = stretch.to_ms - stretch.from_ms;
  const stepMs = marksMs.find((one) => length / one <= mostMarks) ?? Math.ceil(length / mostMarks / dayMs) * dayMs;
  const round = (atMs: number): number => timeline.snapped(atMs, Math.min(stepMs, dayMs));
  const begin = round(stretch.from_ms + stepMs / 2);
  const all = Array.from({ length: mostMarks + 1 }, (_, at) => round(begin + at * stepMs));
  return { at_ms: all.filter((atMs) => atMs >= stretch.from_ms && atMs <= stretch.to_ms), step_ms: stepMs };
}

export function xAtTime(atMs: number, { from_ms, to_ms }: Stretch): number {
  return picture.pad + ((atMs - from_ms) / (to_ms - from_ms)) * (picture.width - 2 * picture.pad);
}

/** The time at a position in the picture, clamped to it, whole ms. */
export function timeAtX(x: number, { from_ms, to_ms }: Stretch): number {
  const share = Math.min(1, Math.max(0, (x - picture.pad) / (picture.width - 2 * picture.pad)));
  return Math.round(from_ms + share * (to_ms - from_ms));
}

/** Straight lines or steps between points; there is no setpoint before the first, and the last one holds. */
export function spanPath(points: readonly SpanPoint[], stretch: Stretch, range: Range, line: DayLine): string {
  const places = [...points]
    .sort((a, b) => a.at_ms - b.at_ms)
    .map(({ at_ms, value }) => [xAtTime(at_ms, stretch).toFixed(1), yOf(value, range).toFixed(1)] as const);
  const [first, ...rest] = places;
  if (first === undefined) return '';
  const on = rest.map(([x, y]) => (line === 'step' ? `H${x}V${y}` : `L${x},${y}`)).join('');
  return `M${first.join(',')}${on}H${(picture.width - picture.pad).toFixed(1)}`;
}

/** The form's entries with one point moved. It stays a step away from its neighbours: points are in order of time. */
export function spanMoved(
  points: unknown,
  moved: SpanPoint,
  { timeline, step_ms }: { timeline: Timeline; step_ms: number },
): Group[] {
  const others = spanPoints(points, timeline).filter(({ index }) => index !== moved.index);
  const before = others.filter(({ index }) => index < moved.index).at(-1)?.at_ms ?? -Infinity;
  const after = others.find(({ index }) => index > moved.index)?.at_ms ?? Infinity;
  const wanted = Math.max(timeline.least_ms, moved.at_ms);
  const atMs = Math.min(after - step_ms, Math.max(before + step_ms, wanted));
  // Points closer than a step leave no room: the time stays, only the value moves.
  const time = atMs > before && atMs < after ? timeline.fieldsAt(atMs) : {};
  return listOf(points).map((entry, index) => {
    const point = groupOf(entry);
    return index === moved.index ? { ...point, ...time, value: moved.value } : point;
  });
}

/**
 * The entries with the last one, if empty, placed as far after its predecessor as that is after its own, at the same
 * value.
 */
export function continued(entries: unknown, timeline: Timeline): Group[] {
  const all = listOf(entries).map(groupOf);
  const [known, last] = [spanPoints(all.slice(0, -1), timeline), all.at(-1)];
  const [before, end] = known.slice(-2);
  const newest = end ?? before;
  if (last === undefined || newest === undefined || Object.keys(last).length > 0) return all;
  const gap = end === undefined || before === undefined ? dayMs : end.at_ms - before.at_ms;
  return [...all.slice(0, -1), { ...timeline.fieldsAt(newest.at_ms + gap), value: newest.value }];
}
