import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import type { AuditRecord } from '../../../server/contract/audit.ts';
import type { Input } from '../../../server/contract/input.ts';
import type { LiveOutput, Output } from '../../../server/contract/output.ts';
import { freePort } from '../../support/daemon-process.ts';
import { LanClient } from '../../support/lan-client.ts';
import { SecondClient } from '../../support/second-pyro.ts';
import { addAccount } from '../../support/service-accounts.ts';
import { dataFolder, launchService } from '../../support/service-process.ts';

interface Told {
  output_id: string;
  state: unknown;
  actor: string | null;
  outcome?: string;
  cause?: object | null;
}

/** A service with a REST client, and a Python program beside it. */
async function bothClients() {
  const dataDirectory = dataFolder();
  const key = await addAccount(dataDirectory);
  const port = await freePort();
  const service = launchService({ dataDirectory, env: { ORANGERY_DAEMON_PORT: String(port) } });
  const rest = new LanClient({ url: await service.ready(), dataDirectory, key });
  const python = await SecondClient.open(port);
  /** Hears outputs from now on. */
  const listen = async (): Promise<() => Told[]> => {
    const stream = await rest.events('/api/events?kinds=output');
    onTestFinished(() => stream.close());
    const data = (): string[] => stream.lines.filter((line) => line.startsWith('data: '));
    return () => data().map((line) => JSON.parse(line.slice(6)) as Told); // output events
  };
  const audit = async (query = ''): Promise<AuditRecord[]> =>
    ((await rest.get(`/api/audit${query}`)).body as { audit: AuditRecord[] }).audit; // by its contract
  onTestFinished(() => rest.close());
  return { rest, python, audit, listen };
}

it('a Python program and a page drive PIDs, conditionals and functions: one history, and each deed by who did it', async () => {
  const { rest, python, audit, listen } = await bothClients();
  const heard = await listen();
  const make = async <Made>(plural: string, settings: object): Promise<Made> => {
    const { status, body } = await rest.post(`/api/settings/${plural}`, settings);
    expect(status, JSON.stringify(body)).toBe(201);
    return body as Made; // by its contract
  };
  const house = (await rest.post('/api/settings/presets/simulated_greenhouse', {})).body as {
    inputs: Input[];
    outputs: Output[];
  };
  const [air] = house.inputs;
  const driving = (part: string): string =>
    house.outputs.find(({ options }) => options['part'] === part)?.unique_id ?? '';
  const measurement = { device_id: air?.unique_id, measurement_id: air?.channels[0]?.measurement_id, max_age_s: 60 };
  const lamp = driving('lighting');
  const raise = { output_id: driving('heater'), kind: 'duration' };
  type Named = { unique_id: string };
  const pid = await make<Named>('pids', { name: 'Warmth', measurement, setpoint: 5, kp: 1, direction: 'raise', raise });
  const sums = { period_s: 1, temperature: measurement, base_c: 0 };
  const sum = await make<Named>('functions', { name: 'Sum', kind: 'degree_hours', options: sums });
  const light = { unique_id: randomUUID(), name: 'light', kind: 'output', output_id: lamp, state: true };
  const rule = { name: 'Dark', period_s: 3600, conditions: [], statement: '', actions: [light] };
  const dark = await make<Named>('conditionals', rule);
  await expect.poll(() => python.call('pid_get', [pid.unique_id, 'error'])).not.toBeNull();

  expect((await rest.post(`/api/pids/${pid.unique_id}/hold`, {})).status).toBe(200);
  expect(await python.call('pid_resume', [pid.unique_id])).toBe('success');
  expect((await rest.request('PATCH', `/api/pids/${pid.unique_id}/live`, { body: { setpoint: 6 } })).status).toBe(200);
  expect(await python.call('pid_set', [], { pid_id: pid.unique_id, setting: 'setpoint', value: 7.0 })).toBe('success');
  const reset = ['Function', sum.unique_id, 'reset', {}, false, true];
  expect(await python.call('module_function', reset)).toMatchObject([0, {}]);
  expect((await rest.post(`/api/functions/${sum.unique_id}/command`, { command: 'look' })).status).toBe(200);
  expect(await python.call('trigger_all_actions', [dark.unique_id, 'by hand'])).toMatchObject([
    { outcome: 'confirmed' },
  ]);
  expect(await python.call('controller_deactivate', [dark.unique_id])).toMatchObject([0, {}]);
  await expect
    .poll(async () => (await audit()).some(({ kind }) => kind === 'program.controller_deactivate'))
    .toBe(true);
  expect((await rest.post(`/api/controllers/${dark.unique_id}`, { activate: true })).status).toBe(200);

  expect((await rest.get(`/api/pids/${pid.unique_id}`)).body).toMatchObject({ state: 'running', setpoint: 7 });
  const lit = heard().find(({ output_id, state }) => output_id === lamp && state === 'on');
  expect(lit).toMatchObject({ actor: 'conditional Dark', cause: { kind: 'conditional', because: 'by hand' } });

  const about = new Set([pid, sum, dark].map(({ unique_id }) => unique_id));
  const deeds = (await audit()).filter(({ target, kind }) => about.has(target ?? '') && !kind.endsWith('.create'));
  const of = (wanted: boolean): string[] =>
    deeds.filter(({ username }) => (username === 'pyro') === wanted).map(({ kind }) => kind);
  expect(of(true).toSorted()).toEqual(
    [
      'program.controller_deactivate',
      'program.module_function',
      'program.pid_resume',
      'program.pid_set',
      'program.trigger_all_actions',
      ...of(true).filter((kind) => kind.startsWith('conditional.')),
    ].toSorted(),
  );
  for (const kind of ['pid.command', 'function.command']) expect(of(false)).toContain(kind);
  expect(of(false).filter((kind) => kind.startsWith('program.'))).toEqual([]);
});

it('a Python program and a REST client command the same outputs: one history, and the audit knows who', async () => {
  const { rest, python, audit, listen } = await bothClients();
  const made = await rest.post('/api/settings/outputs', { name: 'lamp', driver: 'simulated' });
  const { unique_id } = made.body as Output; // by its contract
  // It is driven to its safe state first, which is told as well.
  const settled = async () => ((await rest.get(`/api/outputs/${unique_id}`)).body as LiveOutput).state[0]; // by its contract
  await expect.poll(settled).toMatchObject({ state: 'off' });
  const heard = await listen();

  for (let round = 0; round < 3; round += 1) {
    expect((await rest.post(`/api/outputs/${unique_id}`, { state: true })).status).toBe(200);
    expect(await python.call('output_off', [unique_id])).toEqual([0, 'confirmed: the device confirmed it']);
  }
  const claim = { output_id: unique_id, state: true, actor: 'admin' };
  await expect(python.call('output_command', [claim])).rejects.toMatchObject({ code: 'invalid_argument' });

  const ended = (): Told[] =>
    heard().filter(({ output_id, outcome }) => output_id === unique_id && outcome !== undefined);
  await expect.poll(() => ended().length).toBe(6);
  const history = ended().map(({ state, actor }) => [state, actor === 'pyro']);
  const alternating = Array.from({ length: 3 }, () => [
    ['on', false],
    ['off', true],
  ]).flat();
  expect(history).toEqual(alternating);

  const commands = () => audit('?kind=output.command');
  await expect.poll(async () => (await commands()).length).toBe(6);
  const records = await commands();
  const byWhom = records.toReversed().map(({ target, username }) => [target, username === 'pyro']);
  // The one is written with its answer, the other with its event: their order in the audit may differ by that.
  expect(byWhom.toSorted()).toEqual(alternating.map(([, isPython]) => [unique_id, isPython]).toSorted());
});
