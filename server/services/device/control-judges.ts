import type { Conditional } from '../../contract/conditional.ts';
import type { ControllerWord } from '../../contract/controller-kinds.ts';
import type { Method } from '../../contract/method.ts';
import type { ControllerStores } from '../../db/repositories/controller-stores.ts';
import { compileRule } from '../../domain/control/conditional.ts';
import { methodFault } from '../../domain/control/methods/faults.ts';
import type { LanguageFault } from '../../domain/expression/syntax.ts';
import type { Place } from '../../domain/solar/sun-day.ts';
import type { Judge } from './settings.ts';

interface JudgeOptions {
  kinds: ControllerStores;
  place: () => Place;
  now: () => number;
}

/** What is asked of the settings of some kinds beside what the contract says. */
export function controlJudges({ kinds, place, now }: JudgeOptions): Partial<Record<ControllerWord, Judge>> {
  const find = (id: string): Method | undefined => kinds.method.get(id);
  return {
    // Each judge is called with settings of its own kind.
    method: (settings) => methodFault(settings as Method, new Date(now()).getUTCFullYear(), { place: place(), find }),
    conditional: (settings) => {
      const [fault] = statementFaults(settings as Conditional);
      return fault && { path: 'statement', message: `line ${fault.line}, column ${fault.column}: ${fault.message}` };
    },
  };
}

/** All that is wrong with the statement of a conditional function. */
export function statementFaults(rule: Pick<Conditional, 'statement' | 'conditions' | 'actions'>): LanguageFault[] {
  const compiled = compileRule(rule);
  return 'evaluate' in compiled ? [] : compiled;
}
