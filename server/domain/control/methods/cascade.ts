import type { MethodOf } from '../../../contract/method.ts';
import type { Curve } from './knots.ts';

const combinations: Record<MethodOf<'cascade'>['combine'], (values: readonly number[]) => number> = {
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  mean: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  least: (values) => Math.min(...values),
  most: (values) => Math.max(...values),
  percent: ([first = NaN, ...others]) => others.reduce((product, value) => (product * value) / 100, first),
};

/** Combines several curves; if one has no setpoint, neither has the result. */
export function cascadeCurve({ combine }: Pick<MethodOf<'cascade'>, 'combine'>, curves: readonly Curve[]): Curve {
  return (timeMs) => {
    const values = curves.map((curve) => curve(timeMs));
    const given = values.filter((value) => value !== null);
    return given.length < values.length || given.length === 0 ? null : combinations[combine](given);
  };
}
