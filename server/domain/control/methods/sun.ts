import { Temporal } from 'temporal-polyfill';
import type { SunPoint } from '../../../contract/method.ts';
import { sunDay, type Place } from '../../solar/sun-day.ts';
import { dailyCurve, linear, momentOf, type Curve, type Knot } from './knots.ts';

/**
 * Periods that begin by the clock or by the sun, each with its value and a ramp to it from the previous value. A ramp
 * that the next period would cut off ends with it.
 */
export function sunCurve({ points }: { points: readonly SunPoint[] }, place: Place): Curve {
  return dailyCurve(place.time_zone, (date) => knotsOf(points, date, place), linear);
}

/** When each point occurs on a date, epoch ms, in the order of the points. */
export function startsOf(points: readonly SunPoint[], date: Temporal.PlainDate, place: Place): number[] {
  const sun = sunDay(date, place);
  return points.map(({ event, at, offset_min = 0 }) => {
    const base = event === 'clock' ? momentOf(date, at ?? '00:00', place.time_zone) : sun[`${event}_ms`];
    return base + offset_min * 60_000;
  });
}

/**
 * The first day of a year, YYYY-MM-DD, on which a point would not come after the previous one; undefined when there is
 * none.
 */
export function crossingDay(points: readonly SunPoint[], year: number, place: Place): string | undefined {
  const first = Temporal.PlainDate.from({ year, month: 1, day: 1 });
  let last = -Infinity;
  for (let date = first; date.year === year; date = date.add({ days: 1 })) {
    for (const start of startsOf(points, date, place)) {
      if (start <= last) return date.toString();
      last = start;
    }
  }
  return undefined;
}

/** Where the value starts to leave the previous period's, and where it has reached its own. */
function knotsOf(points: readonly SunPoint[], date: Temporal.PlainDate, place: Place): Knot[] {
  const starts = startsOf(points, date, place);
  const [tomorrow = Infinity] = startsOf(points.slice(0, 1), date.add({ days: 1 }), place);
  return points.flatMap((point, index) => {
    const [start, next] = [starts[index] ?? NaN, starts[index + 1] ?? tomorrow];
    const before = points.at(index - 1)?.value ?? point.value;
    const end = Math.min(start + ramp_ms(point, before), next);
    return [
      { at_ms: start, value: before },
      { at_ms: end, value: point.value },
    ];
  });
}

function ramp_ms({ ramp, value }: SunPoint, before: number): number {
  if (ramp === undefined) return 0;
  return 'minutes' in ramp ? ramp.minutes * 60_000 : (Math.abs(value - before) / ramp.per_h) * 3_600_000;
}
