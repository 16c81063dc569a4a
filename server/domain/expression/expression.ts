import { ExpressionCompiler, type Part } from './compiler.ts';
import type { Value, ValueType } from './operations.ts';
import { syntaxOf } from './syntax.ts';

/** Limits that no person's expression reaches; as there are no loops, they also bound the time. */
const longest = 500;
const mostParts = 200;

/** The text is not an expression of this language; the message is for its author. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

export interface Expression {
  type: ValueType;
  /** The result for values of the variables, in the order of their names; null when it is missing. */
  evaluate: (values: readonly number[]) => Value;
}

/**
 * Compiles one expression over numbers; README.md describes the language. Types are checked here, so that evaluating
 * never throws. Throws `ExpressionError`.
 */
export function compileExpression(text: string, variables: readonly string[]): Expression {
  const names = new Map(variables.map((name): [string, ValueType] => [name, 'number']));
  const compiler = new ExpressionCompiler(names, mostParts);
  const { type, evaluate } = onlyExpression(text, compiler);
  const [fault] = compiler.faults;
  if (fault !== undefined || type === undefined) throw new ExpressionError(fault?.message);
  return { type, evaluate: (values) => evaluate({ values: values.map(finite), steps: Infinity }) };
}

function onlyExpression(text: string, compiler: ExpressionCompiler): Part {
  const program = syntaxOf(text, longest);
  if ('message' in program) throw new ExpressionError(program.message);
  const [statement, more] = program.body;
  if (statement?.type !== 'ExpressionStatement' || more !== undefined || text.trimEnd().endsWith(';'))
    throw new ExpressionError('is not one expression');
  return compiler.compile(statement.expression);
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
