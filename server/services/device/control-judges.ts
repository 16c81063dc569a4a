import type { Conditional } from '../../contract/conditional.ts';
import type { ControllerWord } from '../../contract/controller-kinds.ts';
import { functionSeries, type FunctionSettings } from '../../contract/function.ts';
import type { ControllerFault } from '../../contract/controller-kind.ts';
import type { Method } from '../../contract/method.ts';
import type { ControllerStores } from '../../db/repositories/controller-stores.ts';
import { compileRule } from '../../domain/control/conditional.ts';
import { methodFault } from '../../domain/control/methods/faults.ts';
import type { LanguageFault } from '../../domain/expression/syntax.ts';
import type { Place } from '../../domain/solar/sun-day.ts';
import type { Judge } from './stored-settings.ts';

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
    function: (settings) => quantityFault(settings as FunctionSettings, kinds),
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

/** The first series that is of another quantity than its place asks for. */
function quantityFault(
  settings: FunctionSettings,
  kinds: Pick<ControllerStores, 'input'>,
): ControllerFault | undefined {
  const read = functionSeries(settings).map(([path, { device_id, measurement_id }]) => {
    const channels = kinds.input.get(device_id)?.channels ?? [];
    return { path, found: channels.find((one) => one.measurement_id === measurement_id)?.measurement };
  });
  const isOfAir = 'temperature' in settings.options;
  const asked = isOfAir ? (['temperature', 'humidity'] as const) : read.map(() => read[0]?.found);
  const other = read.findIndex(({ found }, index) => found !== asked[index]);
  const fault = read[other];
  if (fault !== undefined) return { path: fault.path, message: `must be a measurement of ${asked[other]}` };
  const isCalculated = settings.kind === 'sum' || settings.kind === 'difference' || settings.kind === 'bang_bang';
  return isCalculated && read[0]?.found === 'wind_direction'
    ? { path: read[0].path, message: 'must not be a direction, which runs in a circle' }
    : undefined;
}
