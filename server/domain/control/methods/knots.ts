import { Temporal } from 'temporal-polyfill';

/** A point of a curve in real time. */
export interface Knot {
  at_ms: number;
  value: number;
}

/** A setpoint over time; null when there is none. Times are epoch ms. */
export type Curve = (timeMs: number) => number | null;

/** The value between two knots at a share of the time between them, 0 to 1. */
export type Between<Point extends Knot> = (from: Point, to: Point, share: number) => number;

export const linear: Between<Knot> = (from, to, share) => from.value + share * (to.value - from.value);
export const step: Between<Knot> = (from) => from.value;
/** Half a cosine: level at both ends. */
export const cosine: Between<Knot> = (from, to, share) => linear(from, to, (1 - Math.cos(Math.PI * share)) / 2);

/**
 * A curve whose knots recur each day of the site's calendar. It runs in real time from knot to knot, so that neither
 * midnight nor a clock change makes a jump: the section between two knots is then an hour longer or shorter. The days
 * must be in order.
 */
export function dailyCurve<Point extends Knot>(
  time_zone: string,
  knotsOf: (date: Temporal.PlainDate) => Point[],
  between: Between<Point>,
): Curve {
  let known: { from: Point; to: Point } | undefined;
  return (timeMs) => {
    if (known === undefined || timeMs < known.from.at_ms || timeMs >= known.to.at_ms)
      known = around(daysAbout(timeMs, time_zone).flatMap(knotsOf), timeMs);
    return known === undefined ? null : valueBetween(known.from, known.to, timeMs, between);
  };
}

/** The value of ascending knots: none before the first, and the last one's from there on. */
export function knotCurve(knots: readonly Knot[], between: Between<Knot>): Curve {
  return (timeMs) => {
    const last = knots.at(-1);
    if (last !== undefined && timeMs >= last.at_ms) return last.value;
    const span = around(knots, timeMs);
    return span === undefined ? null : valueBetween(span.from, span.to, timeMs, between);
  };
}

/**
 * The moment of a time of day on a date: the first one in an hour that a clock change repeats, the change itself in one
 * that it leaves out.
 */
export function momentOf(date: Temporal.PlainDate, at: string, time_zone: string): number {
  const written = date.toPlainDateTime(at);
  const moment = written.toZonedDateTime(time_zone, { disambiguation: 'earlier' });
  if (moment.toPlainDateTime().equals(written)) return moment.epochMilliseconds;
  return moment.getTimeZoneTransition('next')?.epochMilliseconds ?? moment.epochMilliseconds;
}

/** The latest knot and the next one. Of several at one moment the last counts: that is a step. */
function around<Point extends Knot>(knots: readonly Point[], timeMs: number): { from: Point; to: Point } | undefined {
  const next = knots.findIndex(({ at_ms }) => at_ms > timeMs);
  const [from, to] = [knots[next - 1], knots[next]];
  return from === undefined || to === undefined ? undefined : { from, to };
}

function valueBetween<Point extends Knot>(from: Point, to: Point, timeMs: number, between: Between<Point>): number {
  return between(from, to, (timeMs - from.at_ms) / (to.at_ms - from.at_ms));
}

/** The dates around a moment, enough for each to have a knot before and after it, whatever its offset from its date. */
function daysAbout(timeMs: number, time_zone: string): Temporal.PlainDate[] {
  const today = Temporal.Instant.fromEpochMilliseconds(timeMs).toZonedDateTimeISO(time_zone).toPlainDate();
  return [-2, -1, 0, 1, 2].map((days) => today.add({ days }));
}
