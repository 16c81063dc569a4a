import type { Method } from '../../../contract/method.ts';
import type { Place } from '../../solar/sun-day.ts';
import { bezierCurve } from './bezier.ts';
import { cascadeCurve } from './cascade.ts';
import { durationCurve } from './duration.ts';
import { cosine, dailyCurve, knotCurve, linear, momentOf, step, type Between, type Curve, type Knot } from './knots.ts';
import { sunCurve } from './sun.ts';

/** Maximum nesting of cascades. */
export const deepestCascade = 8;

export interface MethodSurroundings {
  place: Place;
  /** By its id in lower case; undefined when there is none. */
  find: (method_id: string) => Method | undefined;
}

/**
 * The setpoint of a method over time, for repeated calls: the result for one span is kept. null while the method is
 * inactive, before its first date, and when a cascade refers to a missing method or exceeds `deepestCascade`.
 */
export function methodCurve(method: Method, surroundings: MethodSurroundings, depth = 0): Curve {
  if (!method.is_activated || depth > deepestCascade) return () => null;
  const { place, find } = surroundings;
  switch (method.kind) {
    case 'date':
      return knotCurve(
        method.points.map(({ at, value }) => ({ at_ms: Date.parse(at), value })),
        method.shape === 'linear' ? linear : step,
      );
    case 'daily':
      return clockCurve(method.points, place, method.shape === 'linear' ? linear : step);
    case 'sine':
      return clockCurve(method.points, place, cosine);
    case 'bezier':
      return bezierCurve(method, place);
    case 'duration':
      return durationCurve(method);
    case 'sun':
      return sunCurve(method, place);
    case 'cascade': {
      const found = method.points.map(({ method_id }) => find(method_id));
      const curves = found.map((one) => (one ? methodCurve(one, surroundings, depth + 1) : () => null));
      return cascadeCurve(method, curves);
    }
  }
}

function clockCurve(
  points: readonly { at: string; value: number }[],
  { time_zone }: Place,
  between: Between<Knot>,
): Curve {
  const knotsOf = (date: Parameters<typeof momentOf>[0]): Knot[] =>
    points.map(({ at, value }) => ({ at_ms: momentOf(date, at, time_zone), value }));
  return dailyCurve(time_zone, knotsOf, between);
}
