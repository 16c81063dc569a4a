import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { lockHolder } from '../../../server/supervision/discovery.ts';
import { LanClient } from '../../support/lan-client.ts';
import { makeSimulatedSite, ServiceClient } from '../../support/service-client.ts';
import { addAccount } from '../../support/service-accounts.ts';
import { dataFolder, launchService, processesOf } from '../../support/service-process.ts';

const period = { name: 'Day', start: { event: 'sunrise' }, setpoints: { heating_c: 19, ventilation_c: 23 } };
/** Jobs of one user at a time. */
const mostRunning = 4;
let dataDirectory: string;

beforeEach(() => {
  dataDirectory = dataFolder();
});

/** What a database that was not closed leaves beside its file. */
function leftOpen(): string[] {
  return readdirSync(dataDirectory).filter((name) => /-(wal|shm)$/.test(name));
}

describe('an orderly stop', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('by %s: exit 0, nothing left', async (signal) => {
    const service = launchService({ dataDirectory });
    await service.ready();
    expect(processesOf(dataDirectory)).toHaveLength(1);
    service.child.kill(signal);
    expect(await service.ended).toBe(0);
    expect(processesOf(dataDirectory)).toEqual([]);
    expect(leftOpen()).toEqual([]);
    expect(service.errors()).toEqual([]);
  });

  it('is asked for three times, of the daemon too, as a terminal does', async () => {
    const service = launchService({ dataDirectory });
    await service.ready();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGTERM'] as const) {
      for (const pid of processesOf(dataDirectory)) process.kill(pid, signal);
      service.child.kill(signal);
      await pause(20);
    }
    expect(await service.ended).toBe(0);
    expect(processesOf(dataDirectory)).toEqual([]);
    expect(leftOpen()).toEqual([]);
  });

  it('does not wait for whoever listens to events', async () => {
    const key = await addAccount(dataDirectory);
    const service = launchService({ dataDirectory });
    const client = new LanClient({ url: await service.ready(), dataDirectory, key });
    const stream = await client.events();
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    stream.close();
    client.close();
  });

  it('does not wait for a job, which the next start tells as failed', async () => {
    const key = await addAccount(dataDirectory);
    const service = launchService({ dataDirectory });
    const client = ServiceClient.withKey({ url: await service.ready(), dataDirectory }, key);
    const { facility } = await makeSimulatedSite(client);
    const house = `/api/geo/facility/${facility.unique_id}/climate`;
    await client.ask('POST', house, { periods: [period], is_activated: false });
    // One after the other: the last of all that a user may ask for outlasts every round trip.
    const year = { from: '2026-01-01', days: 365, changed: { periods: [period] } };
    for (let nth = 1; nth < mostRunning; nth += 1) await client.ask('POST', `${house}/rehearse`, year);
    const begun = await client.ask('POST', `${house}/rehearse`, year);
    const job = `/api/jobs/${(begun.body as { job_id: string }).job_id}`;
    expect((await client.ask('GET', job)).body).toMatchObject({ status: 'running' });
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    client.close();
    expect(processesOf(dataDirectory)).toEqual([]);
    expect(leftOpen()).toEqual([]);
    const next = launchService({ dataDirectory });
    const again = ServiceClient.withKey({ url: await next.ready(), dataDirectory }, key);
    expect((await again.ask('GET', job)).body).toMatchObject({ status: 'failed' });
    again.close();
  });

  it.each([50, 300, 600, 900])('that comes %i ms after the start leaves no daemon behind', async (afterMs) => {
    const service = launchService({ dataDirectory });
    await pause(afterMs);
    service.child.kill('SIGTERM');
    await service.ended;
    expect(lockHolder(dataDirectory)).toBeNull();
    expect(processesOf(dataDirectory)).toEqual([]);
  });
});

it('an emergency stop that nobody answered holds after a new start of everything', async () => {
  const key = await addAccount(dataDirectory);
  const service = launchService({ dataDirectory });
  const client = ServiceClient.withKey({ url: await service.ready(), dataDirectory }, key);
  for (const pid of processesOf(dataDirectory)) process.kill(pid, 'SIGSTOP');
  await expect(client.ask('POST', '/api/emergency_stop', { reason: 'smoke' })).rejects.toThrow();
  await expect.poll(() => existsSync(join(dataDirectory, 'owed-stop.json')), { interval: 5 }).toBe(true);
  service.child.kill('SIGKILL');
  client.close();
  await service.ended;
  for (const pid of processesOf(dataDirectory)) process.kill(pid, 'SIGKILL');
  const next = launchService({ dataDirectory });
  const again = ServiceClient.withKey({ url: await next.ready(), dataDirectory }, key);
  expect((await again.ask('GET', '/api/emergency_stop')).body).toMatchObject({ active: true, reason: 'smoke' });
  await expect.poll(() => existsSync(join(dataDirectory, 'owed-stop.json'))).toBe(false);
  again.close();
});
