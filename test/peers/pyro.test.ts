import { expect, it } from 'vitest';
import { remoteMethods } from '../../server/contract/remote/index.ts';
import { heaterId, indoorId } from '../support/daemon-site.ts';
import { hasPythonModule, startPythonPeer } from '../support/peer.ts';
import {
  actionId,
  conditionId,
  functionId,
  lcdId,
  listId,
  pidId,
  ruleId,
  triggerId,
  wholeDaemon,
} from '../support/whole-daemon.ts';

type Row = readonly [method: string, parameters: readonly string[], args: readonly unknown[], answer: unknown];

const done = [0, expect.any(String)];
const number = expect.any(Number) as unknown;
const event = expect.objectContaining({ action_id: actionId, outcome: expect.any(String) as string }) as unknown;

/**
 * The 25 methods of DaemonControl, then those that existing clients call too: with the names and the order of their
 * parameters.
 */
const calls: readonly Row[] = [
  ['controller_activate', ['controller_id'], [functionId], done],
  ['controller_deactivate', ['controller_id'], [lcdId], done],
  ['controller_activate', ['controller_id', 'controller_type'], [lcdId, 'LCD'], done],
  ['get_condition_measurement', ['condition_id'], [conditionId], number],
  ['get_condition_measurement_dict', ['condition_id'], [listId], expect.arrayContaining([[number, number]])],
  ['input_force_measurements', ['input_id'], [indoorId], done],
  ['lcd_backlight', ['lcd_id', 'state'], [lcdId, true], done],
  ['lcd_flash', ['lcd_id', 'state'], [lcdId, 0], done],
  ['lcd_reset', ['lcd_id'], [lcdId], done],
  [
    'output_on',
    ['output_id', 'output_type', 'amount', 'min_off', 'trigger_conditionals'],
    [heaterId, 'sec', 5.0, 0.0, true],
    done,
  ],
  ['output_sec_currently_on', ['output_id'], [heaterId], number],
  ['output_state', ['output_id'], [heaterId], 'on'],
  ['output_off', ['output_id', 'trigger_conditionals'], [heaterId, true], done],
  ['output_state', ['output_id', 'output_channel'], [heaterId, 0], 'off'],
  ['output_on_off', ['output_id', 'state', 'output_type', 'amount'], [heaterId, 'on', 'sec', 1.0], done],
  ['output_setup', ['action', 'output_id'], ['Modify', heaterId], done],
  ['pid_get', ['pid_id', 'setting'], [pidId, 'kp'], 1],
  ['pid_set', ['pid_id', 'setting', 'value'], [pidId, 'setpoint', 21.5], 'success'],
  ['pid_get', ['pid_id', 'setting'], [pidId, 'setpoint'], 21.5],
  ['pid_hold', ['pid_id'], [pidId], 'success'],
  ['pid_pause', ['pid_id'], [pidId], 'success'],
  ['pid_resume', ['pid_id'], [pidId], 'success'],
  ['pid_mod', ['pid_id'], [pidId], 'success'],
  [
    'module_function',
    ['controller_type', 'unique_id', 'button_id', 'args_dict', 'thread', 'return_from_function'],
    ['Function', functionId, 'reset', {}, false, true],
    [0, expect.objectContaining({ function_id: functionId })],
  ],
  ['refresh_daemon_conditional_settings', ['unique_id'], [ruleId], 'success'],
  ['refresh_daemon_trigger_settings', ['unique_id'], [triggerId], 'success'],
  ['refresh_daemon_misc_settings', [], [], 'success'],
  ['check_daemon', [], [], null],
  ['controller_restart', ['controller_id'], [triggerId], done],
  ['controller_is_active', ['controller_id'], [pidId], true],
  ['daemon_status', [], [], expect.anything()],
  ['ram_use', [], [], number],
  ['output_states_all', [], [], expect.objectContaining({ [heaterId]: expect.anything() as unknown })],
  ['function_status', ['function_id'], [functionId], expect.objectContaining({ function_id: functionId })],
  ['trigger_action', ['action_id', 'value', 'debug'], [actionId, {}, false], event],
  ['trigger_all_actions', ['function_id', 'message', 'debug'], [triggerId, 'by hand', false], [event]],
  ['display_backlight_color', ['lcd_id', 'color'], [lcdId, '#ff0000'], done],
];

const unknownId = '00000000-0000-4000-8000-0000000000ff';
const wrong: readonly (readonly [method: string, args: readonly unknown[], code: string])[] = [
  ['pid_get', [unknownId, 'kp'], 'not_found'],
  ['pid_set', [pidId, 'mood', 1], 'invalid_argument'],
  ['pid_set', [pidId, 'kp', 'much'], 'invalid_argument'],
  ['output_on', [heaterId, 'sec', -1.0], 'invalid_argument'],
  ['output_state', [unknownId], 'not_found'],
  ['get_condition_measurement', [unknownId], 'not_found'],
  ['trigger_action', [unknownId], 'not_found'],
];

const timeout = 60_000;
it.skipIf(!hasPythonModule('serpent'))(
  'a Python program commands all of it, by place and by name',
  { timeout },
  async () => {
    const daemon = wholeDaemon();
    const program = startPythonPeer('pyro-client.py', [String(await daemon.ready)]);
    const ask = async (method: string, args: readonly unknown[], kwargs: object = {}): Promise<unknown> => {
      program.say({ method, args, kwargs });
      return program.next();
    };
    await expect.poll(() => ask('get_condition_measurement', [conditionId]), { timeout }).toEqual({ ok: number });
    // Lists come from what is stored, which follows what is read.
    const list = (): Promise<unknown> => ask('get_condition_measurement_dict', [listId]);
    await expect.poll(list, { timeout }).toEqual({ ok: expect.any(Array) as unknown });
    for (const [method, parameters, args, answer] of calls) {
      expect(Object.keys(remoteMethods)).toContain(method);
      expect(await ask(method, args), method).toEqual({ ok: answer });
      const named = Object.fromEntries(parameters.map((parameter, at) => [parameter, args[at]]));
      expect(await ask(method, [], named), `${method} by name`).toEqual({ ok: answer });
    }
    for (const [method, args, code] of wrong) expect(await ask(method, args), method).toMatchObject({ code });
    expect(await ask('terminate_daemon', [])).toEqual({ ok: true });
    program.kill();
  },
);
