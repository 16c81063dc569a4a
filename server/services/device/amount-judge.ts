import type { Action } from '../../contract/action.ts';
import type { ControllerFault } from '../../contract/controller-kind.ts';
import { functionOutputs, type FunctionSettings } from '../../contract/function.ts';
import type { OutputRef } from '../../contract/output.ts';
import { amounts, lackedBy, type Amount } from '../../contract/output-state.ts';
import { drivenSides, pidAmounts, type Pid } from '../../contract/pid.ts';
import type { Trigger } from '../../contract/trigger.ts';
import { isOtherUnit } from '../../contract/units.ts';
import { measuredDevices, type ControllerStores } from '../../db/repositories/controller-stores.ts';
import { findChannel } from './output-command.ts';
import { why } from '../../contract/refusal-reason.ts';

interface Place {
  kinds: ControllerStores;
  /** Path of the field at fault. */
  path: string;
}

/** A PID that would ask a channel for what it cannot do. */
export function pidAmountFault(settings: Pid, kinds: ControllerStores): ControllerFault | undefined {
  return first(
    drivenSides(settings).map((side) => {
      const output = settings[side];
      return output === null
        ? undefined
        : amountFault(output, pidAmounts[output.kind], { kinds, path: `${side}.kind` });
    }),
  );
}

/** A trigger that would ask a channel for what it cannot do, by its method or its actions. */
export function triggerFault(trigger: Trigger, kinds: ControllerStores): ControllerFault | undefined {
  const own =
    trigger.kind === 'pwm_method'
      ? amountFault(trigger.output, 'duty_cycle_pct', { kinds, path: 'output' })
      : undefined;
  return own ?? actionFault(trigger.actions, kinds);
}

/** An action that would ask a channel for what it cannot do, or have a PID follow a method of another unit. */
export function actionFault(actions: readonly Action[], kinds: ControllerStores): ControllerFault | undefined {
  return first(
    actions.map((action, index) => {
      const path = `actions[${index}]`;
      if (action.kind === 'method') return methodFault(action, { kinds, path: `${path}.method_id` });
      if (action.kind !== 'output' || !action.state) return undefined;
      const named = amounts.find((amount) => isAsked(amount, action[amount]));
      return named && amountFault(action, named, { kinds, path: `${path}.${named}` });
    }),
  );
}

/** A switch can also do all and nothing. */
function isAsked(amount: Amount, asked: number | undefined): boolean {
  return asked !== undefined && (amount === 'volume_ml' || (asked > 0 && asked < 100));
}

/** A function that would dose through a channel of unknown flow. */
export function doseFault(settings: FunctionSettings, kinds: ControllerStores): ControllerFault | undefined {
  if (settings.kind !== 'dosing') return undefined;
  return first(functionOutputs(settings).map(([path, output]) => amountFault(output, 'volume_ml', { kinds, path })));
}

function amountFault({ output_id, channel: wanted }: OutputRef, amount: Amount, { kinds, path }: Place) {
  const output = kinds.output.get(output_id);
  const channel = output && findChannel(output, wanted);
  const lacked = channel && lackedBy(channel, amount);
  return lacked === undefined ? undefined : { path, ...lacked };
}

function methodFault({ pid_id, method_id }: Extract<Action, { kind: 'method' }>, { kinds, path }: Place) {
  const pid = kinds.pid.get(pid_id);
  const unit = pid && measuredDevices(kinds).series(pid.measurement)?.unit;
  const written = kinds.method.get(method_id)?.unit;
  if (unit === undefined || written === undefined || !isOtherUnit(written, unit)) return undefined;
  return { path, ...why('pid_other_unit', { unit }) };
}

function first(faults: readonly (ControllerFault | undefined)[]): ControllerFault | undefined {
  return faults.find((fault) => fault !== undefined);
}
