import { expect, it } from 'vitest';
import { remoteMethods } from '../../../server/contract/remote/index.ts';
import type { DeclaredMethod } from '../../../server/contract/remote/method.ts';
import { networkMethods } from '../../../server/daemon/remote/access.ts';
import { methodTable } from '../../../server/daemon/remote/handlers.ts';
import { remoteObject, type RemoteParts } from '../../../server/daemon/remote/remote.ts';

/**
 * What ends the daemon, changes what it drives, measures or reports, searches its networks, or runs what modules and
 * people set up.
 */
const hereOnly = [
  'alarm_report',
  'commissioning_accuracy',
  'commissioning_reopen',
  'commissioning_retest',
  'commissioning_start',
  'commissioning_verdict',
  'controller_activate',
  'controller_deactivate',
  'controller_refresh',
  'controller_restart',
  'measurement_create',
  'measurements_create',
  'module_function',
  'driver_search',
  'output_setup',
  'pid_mod',
  'refresh_daemon_conditional_settings',
  'refresh_daemon_misc_settings',
  'refresh_daemon_trigger_settings',
  'terminate_daemon',
  'trigger_action',
  'trigger_all_actions',
];

const all = remoteObject({} as RemoteParts); // only the names are used, no handler runs

it('other machines are not served what changes the daemon', () => {
  expect(hereOnly.filter((name) => !(name in all))).toEqual([]);
  expect(Object.keys(networkMethods(all)).filter((name) => hereOnly.includes(name))).toEqual([]);
});

it('other machines may read, command outputs, stop, and acknowledge', () => {
  expect(Object.keys(networkMethods(all))).toEqual(
    expect.arrayContaining(['live_state', 'events_since', 'output_on', 'emergency_stop', 'alarm_acknowledge']),
  );
});

it('a method that nobody listed is not served to them', () => {
  const made_today = { parameters: [], handler: async () => null };
  expect(networkMethods({ ...all, made_today })).not.toHaveProperty('made_today');
});

it('a method that no controller handles is listed, and says so', async () => {
  const call = { signal: new AbortController().signal, peer: '', caller: 'pyro' };
  expect(Object.keys(methodTable({}))).toEqual(Object.keys(remoteMethods));
  await expect(methodTable({}).pid_get?.handler({ pid_id: 'a' }, call)).rejects.toMatchObject({
    code: 'not_available',
  });
});

it.each(Object.entries<DeclaredMethod>(remoteMethods))(
  '%s can be called by position',
  (_name, { parameters, actsOn }) => {
    const names = parameters.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const firstOptional = parameters.findIndex((parameter) => 'default' in parameter);
    if (firstOptional >= 0) {
      expect(parameters.slice(firstOptional).every((parameter) => 'default' in parameter)).toBe(true);
    }
    for (const parameter of parameters.slice(firstOptional < 0 ? names.length : firstOptional)) {
      const fallback = 'default' in parameter ? parameter.default : undefined;
      expect(parameter.schema.safeParse(fallback).success, parameter.name).toBe(true);
    }
    if (actsOn !== undefined) expect(names).toContain(actsOn);
  },
);

/**
 * What only asks, and what tells of itself: commands of outputs, the emergency stop, samples, alarms that are reported,
 * the end.
 */
const untold = [
  'alarm_report',
  'check_daemon',
  'commissioning_get',
  'commissioning_list',
  'commissioning_plan',
  'controller_is_active',
  'daemon_status',
  'driver_search',
  'drivers',
  'emergency_stop',
  'emergency_stop_get',
  'emergency_stop_release',
  'events_since',
  'function_status',
  'get_condition_measurement',
  'get_condition_measurement_dict',
  'last_measurement',
  'live_state',
  'measurement_create',
  'measurements_create',
  'output_command',
  'output_off',
  'output_on',
  'output_on_off',
  'output_sec_currently_on',
  'output_state',
  'output_states_all',
  'past_measurements',
  'pid_autotune_get',
  'pid_get',
  'pid_state',
  'ram_use',
  'refresh_daemon_misc_settings',
  'terminate_daemon',
];

it('all else that a program does is told, and so audited', () => {
  const methods = Object.entries<DeclaredMethod>(remoteMethods);
  const silent = methods.flatMap(([name, { actsOn }]) => (actsOn === undefined ? [name] : []));
  expect(silent.toSorted()).toEqual(untold.toSorted());
});
