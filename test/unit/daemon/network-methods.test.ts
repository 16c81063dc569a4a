import { expect, it } from 'vitest';
import { networkMethods } from '../../../server/daemon/remote/access.ts';
import { remoteMethods } from '../../../server/daemon/remote/remote.ts';
import type { RemoteParts } from '../../../server/daemon/remote/remote.ts';

/** What ends the daemon, changes what it drives, measures or reports, searches its networks, or runs what modules and people set up. */
const hereOnly = [
  ...[
    'alarm_report',
    'commissioning_accuracy',
    'commissioning_reopen',
    'commissioning_start',
    'commissioning_verdict',
    'controller_activate',
  ],
  ...['controller_deactivate', 'controller_refresh', 'controller_restart', 'measurement_create', 'modbus_probe'],
  ...['module_function', 'mqtt_probe', 'output_setup', 'pid_mod', 'refresh_daemon_conditional_settings'],
  ...['refresh_daemon_misc_settings', 'refresh_daemon_trigger_settings', 'terminate_daemon', 'trigger_action'],
  'trigger_all_actions',
];

it('other machines are served all methods but these, and a new one must be listed to be served', () => {
  const all = remoteMethods({} as RemoteParts); // only the names are used, no handler runs
  const served = Object.keys(networkMethods(all));
  expect(
    Object.keys(all)
      .filter((name) => !served.includes(name))
      .sort(),
  ).toEqual(hereOnly);
  expect(Object.keys(networkMethods({ ...all, made_today: all.output_on })).sort()).toEqual(served.sort());
});
