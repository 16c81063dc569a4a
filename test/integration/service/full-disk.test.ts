import { describe, expect, it, onTestFinished } from 'vitest';
import type { Output } from '../../../server/contract/output.ts';
import { LanClient } from '../../support/lan-client.ts';
import {
  freshDataDirectory,
  removeDataDirectory,
  startService,
  type RunningService,
} from '../../support/running-service.ts';
import { admin, ServiceClient } from '../../support/service-client.ts';
import { killHard, processesOf } from '../../support/service-process.ts';
import { canMount, limitFiles, smallDisk } from '../../support/small-disk.ts';

interface Fault {
  service: RunningService;
  begin: () => void;
  end: () => void;
}

async function onFullDisk(): Promise<Fault> {
  const disk = smallDisk(64);
  const service = await startService({ dataDirectory: disk.folder });
  return { service, begin: disk.fill, end: disk.free };
}

/** As a quota or a limit of the system does it; takes no rights. */
async function withLimitedFiles(): Promise<Fault> {
  const dataDirectory = freshDataDirectory();
  onTestFinished(() => removeDataDirectory(dataDirectory));
  const service = await startService({ dataDirectory });
  const pids = (): number[] => [service.process.pid ?? 0, ...processesOf(dataDirectory)];
  return { service, begin: () => limitFiles(pids(), 4_096), end: () => limitFiles(pids(), null) };
}

const faults: [what: string, isSkipped: boolean, make: () => Promise<Fault>, problem: string][] = [
  ['on a disk that is full', !canMount, onFullDisk, 'storage_full'],
  ['whose files may not grow', process.platform !== 'linux', withLimitedFiles, 'storage_failed'],
];

describe.each(faults)('the service %s', { timeout: 180_000 }, (_what, isSkipped, make, problem) => {
  it.skipIf(isSkipped)(
    'stops, commands, reads and logs in, and health says what is wrong until that is over',
    async () => {
      const { service, begin, end } = await make();
      onTestFinished(async () => {
        await service.kill();
        for (const pid of processesOf(service.dataDirectory)) killHard(pid); // the daemon goes on without it
      });
      const client = await ServiceClient.setUp(service);
      onTestFinished(() => client.close());
      const made = await client.ask('POST', '/api/settings/presets/simulated_greenhouse', {});
      const [output] = (made.body as { outputs: Output[] }).outputs; // the preset's answer
      const path = `/api/outputs/${output?.unique_id}`;
      begin();

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
        .toMatchObject({ status: 'degraded', problems: expect.arrayContaining([problem]) as string[] });

      expect((await client.ask('POST', '/api/emergency_stop', {})).status).toBe(200);
      expect((await client.ask('DELETE', '/api/emergency_stop')).status).toBe(200);
      expect((await client.ask('GET', '/api/outputs')).status).toBe(200);
      const stranger = new LanClient(service);
      onTestFinished(() => stranger.close());
      expect((await stranger.post('/api/auth/login', admin)).status).toBe(200);

      end();
      await expect.poll(health, { timeout: 60_000 }).toEqual({ status: 'up' });
      const { body } = await client.ask('GET', '/api/audit?kind=emergency_stop.begin');
      expect(body).toMatchObject({ audit: [{ kind: 'emergency_stop.begin' }] });
    },
  );
});
