import type { Climate } from '../../contract/climate-settings.ts';
import type { Conditional } from '../../contract/conditional.ts';
import type { ControllerWord } from '../../contract/controller-kinds.ts';
import { functionDefinition, functionReads, type FunctionSettings } from '../../contract/function.ts';
import type { ControllerFault } from '../../contract/controller-kind.ts';
import type { Method } from '../../contract/method.ts';
import { measuredDevices, type ControllerStores } from '../../db/repositories/controller-stores.ts';
import type { FacilityRepository } from '../../db/repositories/facility.ts';
import { compileRule } from '../../domain/control/conditional.ts';
import { methodFault } from '../../domain/control/methods/faults.ts';
import type { Pid } from '../../contract/pid.ts';
import { isOtherUnit } from '../../contract/units.ts';
import type { Trigger } from '../../contract/trigger.ts';
import { actionFault, doseFault, pidAmountFault, triggerFault } from './amount-judge.ts';
import type { StatementFault } from '../../contract/statement.ts';
import type { Place } from '../../domain/solar/sun-day.ts';
import { climateFault } from './climate-judge.ts';
import type { Judge } from './stored-settings.ts';
import { why } from '../../contract/refusal-reason.ts';

interface JudgeOptions {
  kinds: ControllerStores;
  facilities: Pick<FacilityRepository, 'get'>;
  place: () => Place;
  now: () => number;
}

/** What some kinds require of settings beyond the contract. */
export function controlJudges({ kinds, facilities, place, now }: JudgeOptions): Partial<Record<ControllerWord, Judge>> {
  const find = (id: string): Method | undefined => kinds.method.get(id);
  return {
    // Each judge is called with settings of its own kind.
    method: (settings) => methodFault(settings as Method, new Date(now()).getUTCFullYear(), { place: place(), find }),
    pid: (settings) => unitFault(settings as Pid, kinds) ?? pidAmountFault(settings as Pid, kinds),
    trigger: (settings) => triggerFault(settings as Trigger, kinds),
    climate: (settings) =>
      climateFault(settings as Climate, { kinds, facilities, place: place(), year: new Date(now()).getUTCFullYear() }),
    function: (settings) =>
      quantityFault(settings as FunctionSettings, kinds) ?? doseFault(settings as FunctionSettings, kinds),
    conditional: (settings) => {
      const { actions } = settings as Conditional;
      const [fault] = statementFaults(settings as Conditional);
      if (fault === undefined) return actionFault(actions, kinds);
      return {
        path: 'statement',
        ...why('statement', { line: fault.line, column: fault.column, said: fault.message }),
      };
    },
  };
}

/** Everything wrong with the statement of a conditional function. */
export function statementFaults(rule: Pick<Conditional, 'statement' | 'conditions' | 'actions'>): StatementFault[] {
  const compiled = compileRule(rule);
  return 'evaluate' in compiled ? [] : compiled;
}

/** A setpoint in another unit than the measurement. */
function unitFault({ measurement, setpoint_measurement, method_id }: Pid, kinds: ControllerStores) {
  const devices = measuredDevices(kinds);
  const unit = devices.series(measurement)?.unit;
  if (unit === undefined) return undefined;
  const said = why('other_unit', { unit });
  if (setpoint_measurement !== null && devices.series(setpoint_measurement)?.unit !== unit)
    return { path: 'setpoint_measurement', ...said };
  const followed = method_id === null ? undefined : kinds.method.get(method_id)?.unit;
  return followed !== undefined && isOtherUnit(followed, unit) ? { path: 'method_id', ...said } : undefined;
}

/** The first series whose quantity is not the required one. */
function quantityFault(settings: FunctionSettings, kinds: ControllerStores): ControllerFault | undefined {
  const devices = measuredDevices(kinds);
  const read = functionReads(settings).map((one) => ({ ...one, found: devices.series(one.series)?.measurement }));
  const common = read.find(({ measures }) => measures === undefined)?.found;
  for (const { path, found, measures = common === undefined ? [] : [common] } of read) {
    if (!measures.some((one) => one === found))
      return { path, ...why('quantity_needed', { measures: measures.join(' or ') }) };
  }
  return functionDefinition(settings).refusesDirections === true && common === 'wind_direction'
    ? { path: read[0]?.path ?? 'options', ...why('no_direction') }
    : undefined;
}
