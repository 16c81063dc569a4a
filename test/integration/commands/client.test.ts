import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { run } from '../../../server/cli.ts';
import { remoteMethods } from '../../../server/contract/remote/index.ts';
import { daemonSite, heaterId, indoorId, temperatureId } from '../../support/daemon-site.ts';
import { freePort, startDaemon } from '../../support/daemon-process.ts';
import { SecondDaemon } from '../../support/second-pyro.ts';

interface Ran {
  code: number;
  stdout: string[];
  stderr: string[];
}

async function client(
  words: string[],
  { env = {}, signal }: { env?: object; signal?: AbortSignal } = {},
  ran: Ran = { code: -1, stdout: [], stderr: [] },
): Promise<Ran> {
  ran.code = await run(['client', ...words], {
    env: { ORANGERY_DATA_DIR: '/nonexistent', ...env },
    stdin: Readable.from([]),
    stdout: (text) => ran.stdout.push(text),
    stderr: (text) => ran.stderr.push(text),
    ...(signal && { signal }),
  });
  return ran;
}

describe('against a daemon of another make', () => {
  async function sent(words: string[], answer: unknown = [0, 'confirmed: done']) {
    const daemon = await SecondDaemon.start(() => answer);
    const ran = await client([...words, '--daemon-port', String(daemon.port)]);
    return { ...ran, calls: daemon.calls };
  }

  it('gives arguments in order and by name, and leaves the rest to their defaults', async () => {
    expect(await sent(['output_on', 'pump', 'pwm', 'amount=40', 'trigger_conditionals=off'])).toEqual({
      code: 0,
      stdout: ['confirmed: done'],
      stderr: [],
      calls: [['output_on', ['pump'], { output_type: 'pwm', amount: 40, min_off: 0, trigger_conditionals: false }]],
    });
    expect((await sent(['output_off', 'pump'])).calls).toEqual([
      ['output_off', ['pump'], { trigger_conditionals: true }],
    ]);
    expect((await sent(['pid_set', 'pid', 'setpoint', '21.5'], 'success')).calls).toEqual([
      ['pid_set', ['pid', 'setpoint', 21.5], {}],
    ]);
  });

  it('exits 1 when it was answered and not done', async () => {
    expect(await sent(['output_off', 'pump'], [1, 'failed: refused'])).toMatchObject({
      code: 1,
      stdout: ['failed: refused'],
    });
  });

  it('prints JSON where that is asked for, and unknown for what nobody knows', async () => {
    expect((await sent(['output_state', 'pump', '--json'], 12.5)).stdout).toEqual(['12.5']);
    expect((await sent(['output_state', 'pump'], null)).stdout).toEqual(['unknown']);
    expect((await sent(['output_states_all'], { pump: new Map([[0, 'off']]) })).stdout).toEqual(['pump: {"0":"off"}']);
  });

  it.each([
    [['fly'], 'there is no operation "fly"'],
    [['output_on'], 'output_id is missing'],
    [['output_on', 'a', 'sec', 'much'], 'amount is a number, not "much"'],
    [['lcd_flash', 'a', 'perhaps'], 'state is on or off, not "perhaps"'],
    [['check_daemon', 'a'], '"a" is too much'],
    [['output_on', 'a', 'amount=1', 'amount=2'], 'amount is given twice'],
    [['module_function', 'Input', 'a', 'b', '{'], 'args_dict is no JSON'],
    [['check_daemon', '--follow'], '--follow goes with events_since'],
    [['check_daemon', '--loud'], "Unknown option '--loud'"],
  ])('exits 2 for %j and says why', async (words, why) => {
    const { code, stderr } = await client(words);
    expect(code).toBe(2);
    expect(stderr[0]).toContain(`orangery: ${why}`);
  });

  it.each(['daemon_status', 'check_daemon'])('exits 3 for %s when there is no daemon', async (operation) => {
    const ran = await client([operation, '--daemon-port', String(await freePort())]);
    expect(ran).toMatchObject({ code: 3, stdout: [] });
    expect(ran.stderr[0]).toContain('connection_failed');
  });
});

it('helps with every method that is declared, and says what kind its arguments are', async () => {
  const { code, stdout } = await client(['--help']);
  expect(code).toBe(0);
  const takes = new Map(stdout[0]?.split('\n').map((line) => [line.trim().split(' ', 1)[0], line.trim()]));
  expect([...takes.keys()]).toEqual(expect.arrayContaining(Object.keys(remoteMethods)));
  expect(takes.get('output_on')).toBe(
    'output_on output_id [output_type] [amount:number] [min_off:number] [trigger_conditionals:switch] [output_channel:number]',
  );
  expect(takes.get('lcd_flash')).toBe('lcd_flash lcd_id state:switch');
  expect(takes.get('pid_set')).toBe('pid_set pid_id setting value:json');
  expect(takes.get('events_since')).toBe('events_since [cursor] [wait_s:number]');
  expect(takes.get('commissioning_start')).toBe('commissioning_start facility_id [include:json]');
  expect(takes.get('module_function')).toBe(
    'module_function controller_type unique_id button_id args_dict:json [thread:switch] [return_from_function:switch]',
  );
});

it('commands a real daemon, with the secret of the data directory', async () => {
  const dataDirectory = daemonSite();
  writeFileSync(join(dataDirectory, 'remote.loopback_secret'), 'leek\n');
  const port = await startDaemon({ dataDirectory }).ready;
  const env = { ORANGERY_DATA_DIR: dataDirectory, ORANGERY_DAEMON_PORT: String(port) };
  expect(await client(['output_on', heaterId], { env })).toMatchObject({
    code: 0,
    stdout: ['confirmed: the device confirmed it'],
  });
  expect((await client(['output_state', heaterId], { env })).stdout).toEqual(['on']);
  expect((await client(['output_states_all', '--json'], { env })).stdout[0]).toContain(`"${heaterId}":{"0":"on"}`);
  expect((await client(['input_force_measurements', indoorId], { env })).code).toBe(0);
  expect((await client(['last_measurement', indoorId, temperatureId], { env })).stdout[0]).toContain('quality: good');
  expect(await client(['output_state', temperatureId], { env })).toMatchObject({
    code: 1,
    stderr: [expect.stringContaining('not_found')],
  });
  expect(await client(['check_daemon'], { env: { ...env, ORANGERY_DATA_DIR: '/nonexistent' } })).toMatchObject({
    code: 3,
    stderr: [expect.stringContaining('refused')],
  });

  const stop = new AbortController();
  const ran: Ran = { code: -1, stdout: [], stderr: [] };
  const following = client(['events_since', '--follow', '--json'], { env, signal: stop.signal }, ran);
  await expect.poll(() => ran.stdout.length).toBeGreaterThan(0);
  expect((await client(['output_off', heaterId], { env })).code).toBe(0);
  await expect.poll(() => ran.stdout.join('\n')).toContain('"kind":"output"');
  stop.abort();
  expect(await following).toMatchObject({ code: 0, stderr: [] });
});
