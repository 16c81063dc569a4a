import { expect, it } from 'vitest';
import { conditional, conditionalKind } from '../../../server/contract/conditional.ts';
import { functionKind, functionSettings } from '../../../server/contract/function.ts';
import { lcd } from '../../../server/contract/lcd.ts';
import { ownMeasurementId } from '../../../server/contract/measured.ts';
import { pid, pidKind } from '../../../server/contract/pid.ts';
import { trigger, triggerKind } from '../../../server/contract/trigger.ts';
import { ControllerRepository } from '../../../server/db/repositories/controller.ts';
import { LcdRepository } from '../../../server/db/repositories/lcd.ts';
import { configure, daemonSite, heaterId, indoorId, temperatureId, ventId } from '../../support/daemon-site.ts';
import { startDaemon, until } from '../../support/daemon-process.ts';

const id = (n: number) => `00000000-0000-4000-8000-0000000000d${n}`;
const [pidId, functionId, ruleId, conditionId, triggerId, actionId, lcdId] = [1, 2, 3, 4, 5, 6, 7].map(id) as [
  ...[string, string, string, string, string, string, string], // seven of them
];
const base = { is_activated: true };
const measurement = { device_id: indoorId, measurement_id: temperatureId, max_age_s: 60 };

/** A daemon with one controller of each kind at work. */
function wholeDaemon() {
  const dataDirectory = daemonSite();
  configure(dataDirectory, (database) => {
    const lower = { output_id: ventId, kind: 'pwm' };
    const law = { ...pidKind.stored?.defaults, ...base, measurement, period_s: 1, setpoint: 20, kp: 1 };
    new ControllerRepository(database, pidKind).insert(
      pid.parse({ ...law, unique_id: pidId, name: 'Vent', direction: 'lower', lower }),
    );
    const sums = { kind: 'degree_hours', options: { period_s: 1, temperature: measurement, base_c: -50 } };
    new ControllerRepository(database, functionKind).insert(
      functionSettings.parse({ ...base, unique_id: functionId, name: 'Warmth', ...sums }),
    );
    const named = { unique_id: conditionId, name: 't', kind: 'measurement', ...measurement };
    new ControllerRepository(database, conditionalKind).insert(
      conditional.parse({
        ...{ ...base, unique_id: ruleId, name: 'Rule', period_s: 1, start_offset_s: 0, actions: [] },
        ...{ conditions: [named], statement: '' },
      }),
    );
    const heat = { unique_id: actionId, name: 'heat', kind: 'output', output_id: heaterId, state: true };
    new ControllerRepository(database, triggerKind).insert(
      trigger.parse({
        ...{ ...base, unique_id: triggerId, name: 'Seldom', missed: 'skip', kind: 'interval', period_s: 3600 },
        actions: [heat],
      }),
    );
    const size = { columns: 20, rows: 4, line_sets: [[{ kind: 'text', text: 'House 1' }]] };
    new LcdRepository(database).insert(
      lcd.parse({ ...base, unique_id: lcdId, name: 'Door', driver: 'virtual', options: size }),
    );
  });
  return startDaemon({ dataDirectory });
}

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

it('answers every method that programs know, and stores what a function works out', { timeout: 60_000 }, async () => {
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
