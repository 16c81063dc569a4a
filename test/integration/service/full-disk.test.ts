import { describe, expect, it, onTestFinished } from 'vitest';
import type { Output } from '../../../server/contract/output.ts';
import { LanClient } from '../../support/lan-client.ts';
import { startService } from '../../support/running-service.ts';
import { admin, ServiceClient } from '../../support/service-client.ts';
import { canMount, smallDisk } from '../../support/small-disk.ts';

describe.skipIf(!canMount)('the service on a disk that is full', { timeout: 180_000 }, () => {
  it('stops, commands, reads and logs in, and health says what is wrong until there is room', async () => {
    const disk = smallDisk(64);
    const service = await startService({ dataDirectory: disk.folder });
    onTestFinished(() => service.kill());
    const client = await ServiceClient.setUp(service);
    onTestFinished(() => client.close());
    const made = await client.ask('POST', '/api/settings/presets/simulated_greenhouse', {});
    const [output] = (made.body as { outputs: Output[] }).outputs; // the preset's answer
    const path = `/api/outputs/${output?.unique_id}`;
    disk.fill();

    // The files have a little room of their own; it is used up by what is noted.
    const health = async (): Promise<unknown> => (await client.ask('GET', '/api/health')).body;
    const command = async (state: boolean): Promise<number> => (await client.ask('POST', path, { state })).status;
    await expect
      .poll(
        async () => {
          expect([await command(true), await command(false)]).toEqual([200, 200]);
          return health();
        },
        { timeout: 120_000, interval: 1 },
      )
      .toMatchObject({ status: 'degraded', problems: expect.arrayContaining(['storage_full']) as string[] });

    expect((await client.ask('POST', '/api/emergency_stop', {})).status).toBe(200);
    expect((await client.ask('DELETE', '/api/emergency_stop')).status).toBe(200);
    expect((await client.ask('GET', '/api/outputs')).status).toBe(200);
    const stranger = new LanClient(service);
    onTestFinished(() => stranger.close());
    expect((await stranger.post('/api/auth/login', admin)).status).toBe(200);

    disk.free();
    await expect.poll(health, { timeout: 60_000 }).toEqual({ status: 'up' });
    const { body } = await client.ask('GET', '/api/audit?kind=emergency_stop.begin');
    expect(body).toMatchObject({ audit: [{ kind: 'emergency_stop.begin' }] });
  });
});
