import type { RemoteMethod, RemoteParameter } from '../../remote/method.ts';
import { RemoteFailure } from './failure.ts';

const optional = (name: string, value: unknown): RemoteParameter => ({ name, default: value });
const pid: RemoteParameter[] = [{ name: 'pid_id' }];
const one: RemoteParameter[] = [{ name: 'unique_id' }];

/** Methods of controllers that this daemon does not run. They are listed, since programs look them up, and say so when called. */
const parametersOf: Readonly<Record<string, readonly RemoteParameter[]>> = {
  get_condition_measurement: [{ name: 'condition_id' }],
  get_condition_measurement_dict: [{ name: 'condition_id' }],
  pid_get: [...pid, { name: 'setting' }],
  pid_set: [...pid, { name: 'setting' }, { name: 'value' }],
  pid_hold: pid,
  pid_pause: pid,
  pid_resume: pid,
  pid_mod: pid,
  module_function: [
    { name: 'controller_type' },
    { name: 'unique_id' },
    { name: 'button_id' },
    { name: 'args_dict' },
    optional('thread', true),
    optional('return_from_function', false),
  ],
  refresh_daemon_conditional_settings: one,
  refresh_daemon_trigger_settings: one,
  function_status: [{ name: 'function_id' }],
  trigger_action: [{ name: 'action_id' }, optional('value', {}), optional('debug', false)],
  trigger_all_actions: [{ name: 'function_id' }, optional('message', ''), optional('debug', false)],
};

/** The methods that answer `not_available`. */
export function unavailableMethods(): Record<string, RemoteMethod> {
  const entries = Object.entries(parametersOf).map(([name, parameters]): [string, RemoteMethod] => [
    name,
    {
      parameters,
      handler: async () => {
        throw new RemoteFailure('not_available', `${name} is not available in this daemon`);
      },
    },
  ]);
  return Object.fromEntries(entries);
}
