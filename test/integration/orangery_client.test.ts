import { afterEach, describe, expect, expectTypeOf, it } from 'vitest';
import type { RemoteCalls } from '../../server/contract/remote/index.ts';
import { DaemonControl, defaultDaemonUri, type SpecifiedControl } from '../../server/orangery_client.ts';
import { RemoteServer } from '../../server/remote/server.ts';
import type { RemoteMethod } from '../../server/remote/method.ts';
import { remoteObject, type RemoteParts } from '../../server/daemon/remote/remote.ts';

const id = '00000000-0000-4000-8000-000000000001';
const closings: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

/** The daemon's real declarations, with handlers that keep what they are given. */
async function recordingDaemon(answer: (method: string) => unknown) {
  const calls: [method: string, args: Record<string, unknown>][] = [];
  const declared = remoteObject({} as RemoteParts); // only the declarations are used, no handler runs
  const methods = Object.entries(declared).map(([name, { parameters }]): [string, RemoteMethod] => [
    name,
    {
      parameters,
      handler: async (args) => {
        calls.push([name, args]);
        return answer(name);
      },
    },
  ]);
  const options = { objectId: 'orangery.pyro_server', host: '127.0.0.1', port: 0 };
  const server = new RemoteServer({ ...options, methods: Object.fromEntries(methods) });
  await server.start();
  const control = new DaemonControl({ pyro_uri: `PYRO:orangery.pyro_server@127.0.0.1:${server.port}` });
  closings.push(
    () => server.stop(),
    () => control.close(),
  );
  return { calls, control };
}

it('talks to the local daemon when nothing is said', () => {
  expect(defaultDaemonUri).toBe('PYRO:orangery.pyro_server@127.0.0.1:9080');
});

describe('every method reaches the daemon by its name, with positions and defaults of the specification', () => {
  const pair = [0, 'confirmed: done'];
  const on = { output_id: id, output_channel: null };
  const probed = { unit_id: 3, found: 'answers', message: 'holding register 0 can be read' };
  const announced = { found: 'answers', message: 'the broker let us in', devices: [], left_out: 2 };
  const rows: [keyof DaemonControl, unknown[], Record<string, unknown>, unknown][] = [
    ['controller_activate', [id], { controller_id: id, controller_type: null }, pair],
    ['controller_activate', [id, 'Input'], { controller_id: id, controller_type: 'Input' }, pair],
    ['controller_deactivate', [id], { controller_id: id, controller_type: null }, pair],
    ['get_condition_measurement', [id], { condition_id: id }, 21.5],
    ['get_condition_measurement_dict', [id], { condition_id: id }, [[1, null]]],
    ['input_force_measurements', [id], { input_id: id }, pair],
    ['lcd_backlight', [id, true], { lcd_id: id, state: true }, pair],
    ['lcd_flash', [id, false], { lcd_id: id, state: false }, pair],
    ['lcd_reset', [id], { lcd_id: id }, pair],
    ['driver_search', ['modbus', { unit_id: 3 }], { driver: 'modbus', query: { unit_id: 3 } }, probed],
    ['driver_search', ['mqtt', { host: 'broker' }], { driver: 'mqtt', query: { host: 'broker' } }, announced],
    ['output_off', [id], { ...on, trigger_conditionals: true }, pair],
    ['output_off', [id, false], { ...on, trigger_conditionals: false }, pair],
    ['output_on', [id], { ...on, output_type: 'sec', amount: 0, min_off: 0, trigger_conditionals: true }, pair],
    [
      'output_on',
      [id, 'pwm', 40, 5, false],
      { ...on, output_type: 'pwm', amount: 40, min_off: 5, trigger_conditionals: false },
      pair,
    ],
    ['output_off', [id, true, 2], { output_id: id, output_channel: 2, trigger_conditionals: true }, pair],
    [
      'output_on',
      [id, 'sec', 60, 0, true, 1],
      { output_id: id, output_channel: 1, output_type: 'sec', amount: 60, min_off: 0, trigger_conditionals: true },
      pair,
    ],
    [
      'output_on_off',
      [id, 'off', 'sec', 0, 3],
      { output_id: id, output_channel: 3, state: 'off', output_type: 'sec', amount: 0 },
      pair,
    ],
    ['output_on_off', [id, 'on'], { ...on, state: 'on', output_type: 'sec', amount: 0 }, pair],
    ['output_sec_currently_on', [id], on, 12.5],
    ['output_setup', ['Modify', id], { action: 'Modify', output_id: id }, pair],
    ['output_state', [id], on, 'off'],
    ['output_state', [id, 3], { ...on, output_channel: 3 }, 55],
    ['pid_get', [id, 'kp'], { pid_id: id, setting: 'kp' }, null],
    ['pid_set', [id, 'setpoint', 21], { pid_id: id, setting: 'setpoint', value: 21 }, 'success'],
    ['pid_hold', [id], { pid_id: id }, 'success'],
    ['pid_pause', [id], { pid_id: id }, 'success'],
    ['pid_resume', [id], { pid_id: id }, 'success'],
    ['pid_mod', [id], { pid_id: id }, 'success'],
    [
      'module_function',
      ['Input', id, 'mid_calibrate', { ph: 7 }],
      {
        controller_type: 'Input',
        unique_id: id,
        button_id: 'mid_calibrate',
        args_dict: { ph: 7 },
        thread: true,
        return_from_function: false,
      },
      [0, 'started'],
    ],
    ['refresh_daemon_conditional_settings', [id], { unique_id: id }, 'success'],
    ['refresh_daemon_misc_settings', [], {}, 'success'],
    ['refresh_daemon_trigger_settings', [id], { unique_id: id }, 'success'],
  ];

  it.each(rows)('%s(%j)', async (method, args, received, answer) => {
    const { calls, control } = await recordingDaemon(() => answer);
    const methods = control as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>; // each row fits its own
    expect(await methods[method]?.(...args)).toEqual(answer);
    expect(calls.map(([name, given]) => [name, { ...given }])).toEqual([[method, received]]);
  });
});

it('is understood by a daemon that has the optional arguments in another order', async () => {
  const calls: Record<string, unknown>[] = [];
  const answers: RemoteMethod['handler'] = async (args) => {
    calls.push(args);
    return [0, 'done'];
  };
  const optional = (name: string, value: unknown) => ({ name, default: value });
  const last = [optional('output_channel', null), optional('trigger_conditionals', true)];
  const timed = [optional('output_type', null), optional('amount', 0), optional('min_off', 0)];
  const server = new RemoteServer({
    objectId: 'orangery.pyro_server',
    host: '127.0.0.1',
    port: 0,
    methods: {
      output_on: { parameters: [{ name: 'output_id' }, ...timed, ...last], handler: answers },
      output_off: { parameters: [{ name: 'output_id' }, ...last], handler: answers },
    },
  });
  await server.start();
  const control = new DaemonControl({ pyro_uri: `PYRO:orangery.pyro_server@127.0.0.1:${server.port}` });
  closings.push(
    () => server.stop(),
    () => control.close(),
  );
  await control.output_off(id);
  await control.output_off(id, false, 2);
  await control.output_on(id, 'sec', 60, 0, false);
  expect(calls.map((args) => ({ ...args }))).toEqual([
    { output_id: id, output_channel: null, trigger_conditionals: true },
    { output_id: id, output_channel: 2, trigger_conditionals: false },
    { output_id: id, output_type: 'sec', amount: 60, min_off: 0, output_channel: null, trigger_conditionals: false },
  ]);
});

describe('check_daemon', () => {
  it('is GOOD when the daemon has nothing to say, else what it says', async () => {
    expect(await (await recordingDaemon(() => null)).control.check_daemon()).toBe('GOOD');
    expect(await (await recordingDaemon(() => 'a sensor is silent')).control.check_daemon()).toBe('a sensor is silent');
  });

  it('says that the daemon cannot be reached', async () => {
    const control = new DaemonControl({ pyro_uri: 'PYRO:orangery.pyro_server@127.0.0.1:1' });
    expect(await control.check_daemon()).toContain('cannot connect to 127.0.0.1:1');
    control.close();
  });
});

it('waits for events without holding up a command', async () => {
  const never = new Promise(() => undefined);
  const { control } = await recordingDaemon((method) => (method === 'events_since' ? never : 'on'));
  const waiting = control.events_since('', 20);
  expect(await control.output_state(id)).toBe('on');
  control.close();
  await expect(waiting).rejects.toMatchObject({ code: 'closed' });
});

it('refuses an answer that is not what was agreed', async () => {
  const { control } = await recordingDaemon(() => ({ outcome: 'perhaps' }));
  await expect(control.output_command({ output_id: id, state: true })).rejects.toMatchObject({
    code: 'protocol_error',
  });
});

type CountsOf<Calls> = {
  [Name in keyof SpecifiedControl & keyof Calls]: Calls[Name] extends (...args: infer Args extends unknown[]) => unknown
    ? Args['length']
    : never;
};

it('has no fewer and no more parameters than it promises, by type', () => {
  expectTypeOf<CountsOf<RemoteCalls>>().toEqualTypeOf<CountsOf<SpecifiedControl>>();
  expectTypeOf<keyof SpecifiedControl>().toExtend<keyof DaemonControl>();
});
