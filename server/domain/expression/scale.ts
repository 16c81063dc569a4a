import type { InputScale } from '../../contract/input.ts';
import { compileExpression, ExpressionError } from './expression.ts';

/** The name of the sensor's number in an expression. */
const variable = 'x';

/** Returns the value for a sensor's number, null when there is none (a logarithm of 0, a division by zero). */
export type Scaling = (number: number) => number | null;

/** Compiles the scale of a channel once for all its readings. Throws `ExpressionError`. */
export function compileScale(scale: InputScale | null): Scaling {
  if (scale === null) return finite((number) => number);
  if (scale.kind === 'linear') return finite((number) => scale.factor * number + scale.offset);
  const { type, evaluate } = compileExpression(scale.expression, [variable]);
  if (type !== 'number') throw new ExpressionError('gives no number');
  return finite((number) => Number(evaluate([number]) ?? NaN));
}

function finite(value: (number: number) => number): Scaling {
  return (number) => {
    const result = value(number);
    return Number.isFinite(result) ? result : null;
  };
}
