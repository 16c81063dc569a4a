import { expect, it } from 'vitest';
import type { AuditRecord } from '../../../server/contract/audit.ts';
import type { Output } from '../../../server/contract/output.ts';
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
}

it('a Python program and a REST client command the same outputs: one history, and the audit knows who', async () => {
  const dataDirectory = dataFolder();
  const key = await addAccount(dataDirectory);
  const port = await freePort();
  const service = launchService({ dataDirectory, env: { ORANGERY_DAEMON_PORT: String(port) } });
  const rest = new LanClient({ url: await service.ready(), dataDirectory, key });
  const python = await SecondClient.open(port);
  const made = await rest.post('/api/settings/outputs', { name: 'lamp', driver: 'simulated' });
  const { unique_id } = made.body as Output; // by its contract
  const stream = await rest.events('/api/events?kinds=output');

  for (let round = 0; round < 3; round += 1) {
    expect((await rest.post(`/api/outputs/${unique_id}`, { state: true })).status).toBe(200);
    expect(await python.call('output_off', [unique_id])).toEqual([0, 'confirmed: the device confirmed it']);
  }
  const claim = { output_id: unique_id, state: true, actor: 'admin' };
  await expect(python.call('output_command', [claim])).rejects.toMatchObject({ code: 'invalid_argument' });

  const ended = (): Told[] =>
    stream.lines
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)) as Told) // an output event
      .filter(({ output_id, outcome }) => output_id === unique_id && outcome !== undefined);
  await expect.poll(() => ended().length, { timeout: 10_000 }).toBe(6);
  const history = ended().map(({ state, actor }) => [state, actor === 'pyro']);
  const alternating = Array.from({ length: 3 }, () => [
    ['on', false],
    ['off', true],
  ]).flat();
  expect(history).toEqual(alternating);

  const audit = async (): Promise<AuditRecord[]> =>
    ((await rest.get('/api/audit?kind=output.command')).body as { audit: AuditRecord[] }).audit; // by its contract
  await expect.poll(async () => (await audit()).length, { timeout: 10_000 }).toBe(6);
  const records = await audit();
  const byWhom = records.toReversed().map(({ target, username }) => [target, username === 'pyro']);
  // The one is written with its answer, the other with its event: their order in the audit may differ by that.
  expect(byWhom.toSorted()).toEqual(alternating.map(([, isPython]) => [unique_id, isPython]).toSorted());
  stream.close();
  rest.close();
});
