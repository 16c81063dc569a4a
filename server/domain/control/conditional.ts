import type { Condition, Conditional } from '../../contract/conditional.ts';
import type { ValueType } from '../expression/operations.ts';
import { compileStatement, isStatementName, type CompiledStatement } from '../expression/statement.ts';
import { faultOf, type StatementFault } from '../../contract/statement.ts';

type Rule = Pick<Conditional, 'statement' | 'conditions' | 'actions'>;

/** Compiles the statement of a conditional function, whose conditions come in their order. */
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
