import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Alarm } from '../../../server/contract/alarm.ts';
import { freePort, until } from '../../support/daemon-process.ts';
import { goesSafe, heater, killedWhileOn } from '../../support/heater-site.ts';
import { heaterId } from '../../support/daemon-site.ts';
import { LanClient } from '../../support/lan-client.ts';
import { addAccount } from '../../support/service-accounts.ts';
import { launchService, processesOf, killHard } from '../../support/service-process.ts';
import { canMount, smallDisk, type SmallDisk } from '../../support/small-disk.ts';

function withoutIndex(folder: string): void {
  for (const name of ['orangery', 'control', 'measurements']) {
    for (const end of ['-wal', '-shm']) rmSync(join(folder, `${name}.db${end}`), { force: true });
  }
}

async function raisesStoreAlarm(client: LanClient): Promise<void> {
  await until(
    async () => ((await client.get('/api/alarms')).body as { alarms: Alarm[] }).alarms, // by its contract
    (alarms) => alarms.some(({ code, is_raised }) => code === 'store_failed' && is_raised),
  );
}

type Change = (disk: SmallDisk) => void;

const writable: Change = ({ setReadOnly }) => setReadOnly(false);

const faults: [what: string, fault: Change, mend: Change][] = [
  ['a read-only disk', ({ setReadOnly }) => setReadOnly(true), writable],
  [
    'a read-only disk without the indexes of the databases',
    ({ folder, setReadOnly }) => {
      withoutIndex(folder);
      setReadOnly(true);
    },
    writable,
  ],
  ['a full disk', ({ fill }) => fill(), ({ free }) => free()],
];

describe.skipIf(!canMount)('a service that starts on a disk which takes nothing', { timeout: 120_000 }, () => {
  it.each(faults)('%s: drives safe, serves what it can, says so, and stores when it can', async (what, fault, mend) => {
    const disk = smallDisk();
    const dataDirectory = disk.folder;
    const witness = await killedWhileOn(dataDirectory);
    const key = await addAccount(dataDirectory);
    const env = { ORANGERY_DAEMON_PORT: String(await freePort()) };
    const first = launchService({ dataDirectory, env }); // makes certificates and token
    await first.ready();
    const on = new LanClient({ url: await first.ready(), dataDirectory, key });
    expect((await on.post(`/api/outputs/${heaterId}`, { state: true })).status).toBe(200);
    on.close();
    first.child.kill('SIGKILL');
    await first.ended;
    for (const pid of processesOf(dataDirectory)) killHard(pid);
    await until(
      () => processesOf(dataDirectory).length,
      (count) => count === 0,
    );
    expect(witness.coil(heater)).toBe(true);
    fault(disk);
    const since = new Date().toISOString();

    const service = launchService({ dataDirectory, env });
    await goesSafe(witness);
    const client = new LanClient({ url: await service.ready(), dataDirectory, key });
    expect((await client.get('/api/settings/outputs')).status).toBe(200);
    expect((await client.post(`/api/outputs/${heaterId}`, { state: true })).status).toBe(200);
    expect(witness.coil(heater)).toBe(true);
    await until(
      () => client.post('/api/geo/settings', { site_name: randomUUID() }),
      ({ status }) => status === 507, // a full disk has room in the files that are there
      30,
    );
    await until(
      () => client.get('/api/health'),
      ({ body }) => (body as { status: string }).status === 'degraded', // by its contract
    );
    if (what !== 'a full disk') await raisesStoreAlarm(client); // there small writes go through again now and then
    for (const pid of processesOf(dataDirectory)) killHard(pid);
    await goesSafe(witness);
    mend(disk);
    await until(
      () => client.post('/api/geo/settings', { site_name: randomUUID() }),
      ({ status }) => status === 200,
    );
    await until(
      () => client.get('/api/health'),
      ({ body }) => (body as { status: string }).status === 'up', // by its contract
    );
    // What was commanded while nothing could be stored.
    const { body } = await client.get(`/api/audit?kind=output.command&from=${since}`);
    expect((body as { audit: unknown[] }).audit).toHaveLength(1); // by its contract
    client.close();
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
  });
});
