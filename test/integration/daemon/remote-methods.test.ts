import { expect, it } from 'vitest';
import { ownMeasurementId } from '../../../server/contract/measured.ts';
import { heaterId, indoorId } from '../../support/daemon-site.ts';
import { until } from '../../support/daemon-process.ts';
import {
  actionId,
  conditionId,
  functionId,
  lcdId,
  pidId,
  ruleId,
  triggerId,
  wholeDaemon,
} from '../../support/whole-daemon.ts';

/** Every method that programs know, with arguments as they give them. */
const calls: readonly (readonly [string, ...unknown[]])[] = [
  ['controller_activate', functionId],
  ['controller_deactivate', lcdId],
  ['controller_activate', lcdId, 'LCD'],
  ['get_condition_measurement', conditionId],
  ['get_condition_measurement_dict', conditionId],
  ['input_force_measurements', indoorId],
  ['lcd_backlight', lcdId, true],
  ['lcd_flash', lcdId, false],
  ['lcd_reset', lcdId],
  ['output_on', heaterId, 'sec', 5],
  ['output_off', heaterId],
  ['output_on_off', heaterId, 'on', 'sec', 1],
  ['output_sec_currently_on', heaterId],
  ['output_setup', 'Modify', heaterId],
  ['output_state', heaterId],
  ['pid_get', pidId, 'setpoint'],
  ['pid_set', pidId, 'setpoint', 21],
  ['pid_hold', pidId],
  ['pid_pause', pidId],
  ['pid_resume', pidId],
  ['pid_mod', pidId],
  ['module_function', 'Function', functionId, 'reset', {}, false, true],
  ['refresh_daemon_conditional_settings', ruleId],
  ['refresh_daemon_trigger_settings', triggerId],
  ['refresh_daemon_misc_settings'],
  ['check_daemon'],
  ['controller_restart', triggerId],
  ['controller_is_active', pidId],
  ['daemon_status'],
  ['ram_use'],
  ['output_states_all'],
  ['function_status', functionId],
  ['trigger_action', actionId],
  ['trigger_all_actions', triggerId],
  ['display_backlight_color', lcdId, '#ff0000'],
];

it('answers every method that programs know, and stores what a function works out', async () => {
  const control = await wholeDaemon().service();
  const last = () => control.last_measurement(functionId, ownMeasurementId(functionId, 0));
  const stored = await until(last, (one) => (one?.value ?? 0) > 0, 20);
  expect(stored).toMatchObject({ channel: 0, unit: 'K h', quality: 'good' });
  const failed: string[] = [];
  for (const [name, ...given] of calls) {
    const method: unknown = Reflect.get(control, name);
    if (typeof method !== 'function') throw new Error(`${name} is no method`);
    try {
      const answer: unknown = await Reflect.apply(method, control, given);
      if (Array.isArray(answer) && answer[0] === 1) failed.push(`${name}: ${String(answer[1])}`);
    } catch (error) {
      failed.push(`${name}: ${String(error)}`);
    }
  }
  expect(failed).toEqual([]);
  expect(await control.module_function('Function', functionId, 'fly', {})).toEqual([
    1,
    expect.stringContaining('reset'),
  ]);
  expect((await control.module_function('Input', indoorId, 'look', {}))[0]).toBe(1);
  expect(await control.function_status(functionId)).toMatchObject({ values: [{ name: 'Today', unit: 'K h' }] });
  const past = await control.past_measurements(pidId, ownMeasurementId(pidId, 1), 3600);
  expect(past).toMatchObject({ unit: 'C', channel: 1 });
  expect(await control.terminate_daemon()).toBe(true);
});
