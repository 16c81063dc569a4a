import type { StatementLanguage } from '../../contract/statement.ts';
import { missingName } from './compiler.ts';
import { functions, operators } from './operations.ts';

/** The words of a statement beside its own names. */
export function statementLanguage(): StatementLanguage {
  const listed = [...functions].map(([name, { takes, least, most, gives }]) => ({
    name,
    takes,
    least,
    most: Math.min(most, 100),
    gives,
  }));
  return {
    words: ['let', 'if', 'else', 'run', 'true', 'false', missingName],
    functions: [...listed, { name: 'otherwise', takes: null, least: 2, most: 2, gives: null }],
    operators: [...new Set([...operators.keys()].map((name) => name.replace('unary ', ''))), '&&', '||', '?', ':'],
  };
}
