import type { Condition, Conditional } from '../../contract/conditional.ts';
import type { ValueType } from '../expression/operations.ts';
import { compileStatement, isStatementName, type CompiledStatement } from '../expression/statement.ts';
import { faultOf, type StatementFault } from '../../contract/statement.ts';

type Rule = Pick<Conditional, 'statement' | 'conditions' | 'actions'>;

/** Compiles the statement of a conditional function; values come in the order of its conditions. */
export function compileRule({ statement, conditions, actions }: Rule): CompiledStatement | StatementFault[] {
  const reserved = [...conditions, ...actions].find(({ name }) => !isStatementName(name));
  if (reserved !== undefined) return [faultOf({ line: 1, column: 1 }, 'name_reserved', { name: reserved.name })];
  return compileStatement(statement, {
    conditions: new Map(conditions.map((one) => [one.name, typeOf(one)])),
    actions: new Set(actions.map(({ name }) => name)),
  });
}

function typeOf({ kind }: Condition): ValueType {
  if (kind === 'dict') return 'list';
  return kind === 'output_state' || kind === 'controller' ? 'boolean' : 'number';
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** Without readings only their count and sum are known. */
const taken: Record<Extract<Condition, { kind: 'past' }>['take'], (values: readonly number[]) => number | null> = {
  mean: (values) => (values.length === 0 ? null : sum(values) / values.length),
  sum,
  least: (values) => (values.length === 0 ? null : values.reduce((a, b) => Math.min(a, b))),
  most: (values) => (values.length === 0 ? null : values.reduce((a, b) => Math.max(a, b))),
  count: (values) => values.length,
};

/** One number from the readings of a time; null when there is none. */
export function takenOf(take: keyof typeof taken, values: readonly number[]): number | null {
  return taken[take](values);
}
