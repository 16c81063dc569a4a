import type { MethodOf } from '../../../contract/method.ts';
import type { Place } from '../../solar/sun-day.ts';
import { dailyCurve, momentOf, type Curve, type Knot } from './knots.ts';

interface BezierKnot extends Knot {
  before: Handle;
  after: Handle;
}

/** Distance from its knot in time, and the value there. */
interface Handle {
  away_ms: number;
  value: number;
}

/** A daily cubic Bezier through its points; a point without handles is a corner. */
export function bezierCurve({ points }: MethodOf<'bezier'>, { time_zone }: Place): Curve {
  const handle = (given: { minutes: number; value: number } | undefined, value: number): Handle =>
    given === undefined ? { away_ms: 0, value } : { away_ms: given.minutes * 60_000, value: given.value };
  return dailyCurve<BezierKnot>(
    time_zone,
    (date) =>
      points.map(({ at, value, before, after }) => ({
        at_ms: momentOf(date, at, time_zone),
        value,
        before: handle(before, value),
        after: handle(after, value),
      })),
    between,
  );
}

/**
 * The value of the Bezier between two knots at a share of the time. Handles are limited to the two knots: so time only
 * rises along the curve, and bisection finds the single place.
 */
function between(from: BezierKnot, to: BezierKnot, share: number): number {
  const spanMs = to.at_ms - from.at_ms;
  const [x1, x2] = [Math.min(1, from.after.away_ms / spanMs), 1 - Math.min(1, to.before.away_ms / spanMs)];
  let [low, high] = [0, 1];
  for (let round = 0; round < 50; round += 1) {
    const middle = (low + high) / 2;
    if (cubic(0, x1, x2, 1, middle) < share) low = middle;
    else high = middle;
  }
  return cubic(from.value, from.after.value, to.before.value, to.value, (low + high) / 2);
}

/** Bernstein form of the third degree. */
function cubic(p0: number, p1: number, p2: number, p3: number, t: number): number {
  const s = 1 - t;
  return s * s * s * p0 + 3 * s * s * t * p1 + 3 * s * t * t * p2 + t * t * t * p3;
}
