import type { Action, ActionOutcome } from '../../contract/action.ts';
import type {
  actionMethods,
  conditionalMethods,
  functionMethods,
  triggerMethods,
} from '../../contract/remote/function.ts';
import type { Reason } from '../../contract/reason.ts';
import { RemoteFailure } from '../../contract/remote/failure.ts';
import { outsideActor } from '../../contract/remote/parameters.ts';
import type { Value } from '../../domain/expression/operations.ts';
import type { Activation } from '../controllers/activation.ts';
import type { Conditionals } from '../controllers/conditional/kind.ts';
import type { ConditionalController } from '../controllers/conditional/conditional.ts';
import type { Functions } from '../controllers/function/kind.ts';
import type { Triggers } from '../controllers/trigger/kind.ts';
import type { TriggerController } from '../controllers/trigger/trigger.ts';
import type { RemoteCall } from '../../remote/method.ts';
import { actorOf } from './access.ts';
import type { HandlersOf } from './handlers.ts';

interface FunctionParts {
  activation: Pick<Activation, 'require' | 'refresh'>;
  functions: Pick<Functions, 'get'>;
  conditionals: Pick<Conditionals, 'all'>;
  triggers: Pick<Triggers, 'all'>;
}

/** A controller with actions. */
type Acts = ConditionalController | TriggerController;

type Methods = typeof actionMethods & typeof conditionalMethods & typeof triggerMethods & typeof functionMethods;

/** Triggers, conditional functions, functions and their actions, as programs command them. */
export function functionHandlers({
  activation,
  conditionals,
  triggers,
  functions,
}: FunctionParts): HandlersOf<Methods> {
  const acting = (): Acts[] => [...conditionals.all(), ...triggers.all()];
  const refresh = async (type: 'Conditional' | 'Trigger', id: string): Promise<'success'> => {
    activation.require(type, id);
    await activation.refresh(id, false);
    return 'success';
  };
  return {
    get_condition_measurement: async ({ condition_id }) => {
      const value = await valueOf(conditionals, condition_id);
      if (typeof value === 'object') return value?.at(-1) ?? null;
      return Number(value);
    },
    get_condition_measurement_dict: async ({ condition_id }) => {
      const found = await Promise.all(conditionals.all().map((one) => one.readingsOf(condition_id)));
      const readings = found.find((one) => one !== undefined);
      if (readings === undefined) throw noCondition(condition_id);
      return readings;
    },
    refresh_daemon_conditional_settings: ({ unique_id }) => refresh('Conditional', unique_id),
    refresh_daemon_trigger_settings: ({ unique_id }) => refresh('Trigger', unique_id),
    function_status: ({ function_id }) => {
      activation.require('Function', function_id);
      const found = functions.get(function_id);
      if (found === undefined) throw new RemoteFailure('not_active', `function ${function_id} is not active`);
      return found.live();
    },
    module_function: async ({ controller_type, unique_id, button_id, thread, return_from_function }) => {
      // Many programs look only at the status and take an exception for success.
      if (controller_type.toLowerCase() !== 'function')
        return [1, `a module of the type ${controller_type} declares no command`];
      activation.require('Function', unique_id);
      const found = functions.get(unique_id);
      if (found === undefined) return [1, `function ${unique_id} is not active`];
      const command = found.commands().find((one) => one === button_id);
      if (command === undefined) return [1, `${button_id}: it declares ${found.commands().join(', ')}`];
      const answer = found.command(command);
      if (return_from_function || !thread) return [0, await answer];
      answer.catch(() => undefined); // it tells of itself what goes wrong
      return [0, 'begun'];
    },
    trigger_action: async ({ action_id, value: { value }, actor }, call) => {
      const owner = acting().find((one) => one.actions().some((action) => isCalled(action, action_id)));
      const action = owner?.actions().find((one) => isCalled(one, action_id));
      if (owner === undefined || action === undefined)
        throw new RemoteFailure('not_found', `no controller at work has the action ${action_id}`);
      const given = typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
      return owner.acting.act(action, askedBy(call, actor), given);
    },
    trigger_all_actions: async ({ function_id, message, actor }, call) => {
      const owner = acting().find(({ id }) => id === function_id);
      if (owner === undefined) throw new RemoteFailure('not_active', `function ${function_id} is not active`);
      const reason: Reason =
        message === '' ? askedBy(call, actor) : { code: 'told', facts: { text: { text: message.slice(0, 300) } } };
      const results: ActionOutcome[] = [];
      for (const action of owner.actions()) results.push(await owner.acting.act(action, reason));
      return results;
    },
  };
}

function askedBy(call: RemoteCall, actor: string | null): Reason {
  const by = actorOf(call, actor);
  return by === outsideActor
    ? { code: 'asked_by_program', facts: {} }
    : { code: 'asked_by', facts: { by: { text: by } } };
}

async function valueOf(conditionals: Pick<Conditionals, 'all'>, conditionId: string): Promise<Value> {
  for (const one of conditionals.all()) {
    const value = one.valueOf(conditionId);
    if (value !== undefined) return value;
  }
  throw noCondition(conditionId);
}

function noCondition(conditionId: string): RemoteFailure {
  return new RemoteFailure('not_found', `no conditional function at work has the condition ${conditionId}`);
}

function isCalled({ unique_id }: Action, id: string): boolean {
  return unique_id === id;
}
