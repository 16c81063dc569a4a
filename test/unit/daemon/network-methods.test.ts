import { expect, it } from 'vitest';
import { networkMethods } from '../../../server/daemon/remote/access.ts';
import { remoteMethods } from '../../../server/daemon/remote/remote.ts';
import type { RemoteParts } from '../../../server/daemon/remote/remote.ts';

/** What ends the daemon, changes what it drives, measures or reports, searches its networks, or runs what modules and people set up. */
const hereOnly = [
  ...['alarm_report', 'commissioning_accuracy', 'commissioning_reopen', 'commissioning_start', 'commissioning_verdict'],
  ...['controller_activate', 'controller_deactivate', 'controller_refresh', 'controller_restart', 'measurement_create'],
  ...[
    'measurements_create',
    'modbus_probe',
    'module_function',
    'mqtt_probe',
    'output_setup',
    'pid_mod',
    'refresh_daemon_conditional_settings',
  ],
  ...['refresh_daemon_misc_settings', 'refresh_daemon_trigger_settings', 'terminate_daemon', 'trigger_action'],
  'trigger_all_actions',
];

const all = remoteMethods({} as RemoteParts); // only the names are used, no handler runs

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
