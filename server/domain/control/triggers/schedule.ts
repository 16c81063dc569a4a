import { Temporal } from 'temporal-polyfill';
import { sunDay, type Place } from '../../solar/sun-day.ts';
import { momentOf } from '../methods/knots.ts';

/**
 * When something is due by itself. Times of day are HH:MM in the site's local time; weekdays are those of ISO 8601,
 * Monday 1 to Sunday 7.
 */
export type Schedule =
  | { kind: 'time_point'; at: string; weekdays?: readonly number[] | undefined }
  | { kind: 'time_span'; from: string; to: string; period_s: number; weekdays?: readonly number[] | undefined }
  | { kind: 'sunrise_sunset'; event: 'sunrise' | 'sunset' | 'noon'; offset_min?: number | undefined }
  | { kind: 'interval'; period_s: number; anchor_ms: number };

/**
 * A polar day or night lasts half a year, and weekdays recur within a week: what is not due within this is never due.
 */
const farthest_days = 400;

/**
 * The first moment after `after_ms` at which a schedule is due, epoch ms; null when there is none. In an hour that a
 * clock change repeats only the first counts, and a time in one that it leaves out is due at the change. Sunrise and
 * sunset are due on days that have them.
 */
export function nextDue(schedule: Schedule, afterMs: number, place: Place): number | null {
  return dues(schedule, afterMs, place).next().value ?? null;
}

/** The moments after `after_ms` at which a schedule is due, in order; an interval never ends. */
export function* dues(schedule: Schedule, afterMs: number, place: Place): Generator<number, undefined> {
  if (schedule.kind === 'interval') {
    const { anchor_ms, period_s } = schedule;
    for (let due = nextOfGrid(anchor_ms, period_s, afterMs); ; due += period_s * 1000) yield due;
  }
  const today = Temporal.Instant.fromEpochMilliseconds(afterMs).toZonedDateTimeISO(place.time_zone).toPlainDate();
  let lastMs = afterMs;
  // An offset from the sun and a span over midnight extend into the next day.
  for (let [days, empty] = [-1, 0]; empty < farthest_days; [days, empty] = [days + 1, empty + 1])
    for (const due of duesOn(schedule, today.add({ days }), { after_ms: lastMs, place })) {
      [lastMs, empty] = [due, 0];
      yield due;
    }
  return undefined;
}

/** What was due during an interruption. */
export interface Missed {
  count: number;
  last_ms: number | null;
}

/** Maximum count: beyond it the exact number does not matter. */
const mostCounted = 10_000;

/** What a schedule had due after `from_ms` and up to `to_ms`. */
export function missed(
  schedule: Schedule,
  { from_ms, to_ms }: { from_ms: number; to_ms: number },
  place: Place,
): Missed {
  let [count, last_ms]: [number, number | null] = [0, null];
  for (const due of dues(schedule, from_ms, place)) {
    if (due > to_ms || count >= mostCounted) break;
    [count, last_ms] = [count + 1, due];
  }
  return { count, last_ms };
}

const dayMs = 86_400_000;

/**
 * From when to look for due moments, given the last one. A clock that was set back by up to a day repeats nothing; one
 * that was set back further had been wrong before.
 */
export function lookFrom(lastDueMs: number | null, nowMs: number): number {
  if (lastDueMs === null || lastDueMs - nowMs > dayMs) return nowMs;
  return lastDueMs;
}

/** Those of one date after a moment. */
function* duesOn(
  schedule: Exclude<Schedule, { kind: 'interval' }>,
  date: Temporal.PlainDate,
  { after_ms, place }: { after_ms: number; place: Place },
): Generator<number, void> {
  if (schedule.kind === 'sunrise_sunset') {
    const sun = sunDay(date, place);
    const isThere = schedule.event === 'noon' || sun.polar === null;
    const due = sun[`${schedule.event}_ms`] + (schedule.offset_min ?? 0) * 60_000;
    if (isThere && due > after_ms) yield due;
    return;
  }
  if (schedule.weekdays !== undefined && !schedule.weekdays.includes(date.dayOfWeek)) return;
  if (schedule.kind === 'time_point') {
    const due = momentOf(date, schedule.at, place.time_zone);
    if (due > after_ms) yield due;
    return;
  }
  const begin = momentOf(date, schedule.from, place.time_zone);
  const lastDate = schedule.to > schedule.from ? date : date.add({ days: 1 });
  const end = momentOf(lastDate, schedule.to, place.time_zone);
  const first = after_ms < begin ? begin : nextOfGrid(begin, schedule.period_s, after_ms);
  for (let due = first; due < end; due += schedule.period_s * 1000) yield due;
}

function nextOfGrid(anchorMs: number, period_s: number, afterMs: number): number {
  const periodMs = period_s * 1000;
  return anchorMs + Math.max(0, Math.floor((afterMs - anchorMs) / periodMs) + 1) * periodMs;
}
