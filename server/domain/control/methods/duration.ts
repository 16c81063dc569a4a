import type { MethodOf } from '../../../contract/method.ts';
import { knotCurve, linear, step, type Curve } from './knots.ts';

/** A run from its start, repeated as often as set; then the last value holds. No setpoint before the start. */
export function durationCurve({ points, shape, repeat, starts_at }: MethodOf<'duration'>): Curve {
  const curve = knotCurve(
    points.map(({ after_s, value }) => ({ at_ms: after_s * 1000, value })),
    shape === 'linear' ? linear : step,
  );
  const lengthMs = (points.at(-1)?.after_s ?? 0) * 1000;
  return (timeMs) => {
    const sinceMs = timeMs - Date.parse(starts_at);
    if (sinceMs < 0) return null;
    const isOver = lengthMs === 0 || (repeat !== null && sinceMs >= lengthMs * (repeat + 1));
    return curve(isOver ? lengthMs : sinceMs % lengthMs);
  };
}
