import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DaemonView } from '../../../server/contract/daemon.ts';
import type { LiveOutput, Output } from '../../../server/contract/output.ts';
import type { EmergencyStop } from '../../../server/contract/safety.ts';
import { houseId } from '../../support/daemon-site.ts';
import { freePort, until } from '../../support/daemon-process.ts';
import { LanClient } from '../../support/lan-client.ts';
import { drawn } from '../../support/maps.ts';
import { addAccount } from '../../support/service-accounts.ts';
import {
  dataFolder,
  killHard,
  launchService,
  processesOf,
  type ServiceProcess,
} from '../../support/service-process.ts';

let dataDirectory: string;
let key: string;
let env: Record<string, string>;
let service: ServiceProcess;
let client: LanClient;

/** The daemon's port is the same at every start, for a daemon that goes on is found there. */
beforeEach(async () => {
  dataDirectory = dataFolder();
  key = await addAccount(dataDirectory);
  env = { ORANGERY_DAEMON_PORT: String(await freePort()) };
  await start();
});

afterEach(() => client?.close()); // there is none where the start failed

async function start(): Promise<void> {
  service = launchService({ dataDirectory, env });
  client = new LanClient({ url: await service.ready(), dataDirectory, key });
}

function daemonPid(): number {
  const [pid, ...others] = processesOf(dataDirectory);
  if (pid === undefined || others.length > 0) throw new Error(`not one daemon: ${String([pid, ...others])}`);
  return pid;
}

async function killServer(): Promise<void> {
  client.close();
  service.child.kill('SIGKILL');
  await service.ended;
}

async function daemonView(): Promise<DaemonView> {
  return (await client.get('/api/daemon')).body as DaemonView; // its contract is tested elsewhere
}

interface Site {
  /** Its safe state is off; an override holds it on for an hour. */
  heater: string;
  /** Its safe state is on; it was switched off without an override. */
  vent: string;
  map_uuid: string;
}

/** Everything here is answered with success, so it must be there ever after. */
async function makeSite(): Promise<Site> {
  const heater = await addOutput('heater', 'off');
  const vent = await addOutput('side_vent', 'on');
  const override_until = new Date(Date.now() + 3_600_000).toISOString();
  await expectDone(client.post(`/api/outputs/${heater}`, { state: true, override_until }));
  await expectDone(client.post(`/api/outputs/${vent}`, { state: false }));
  await expectDone(client.post('/api/geo/settings', { site_name: 'North field' }));
  const { map_uuid } = (await client.get('/api/geo/init_design')).body as { map_uuid: string }; // by its contract
  await expectDone(client.post('/api/geo/designs', { map_uuid, name: 'Farm', lat: 37, lng: 127, zoom: 18 }));
  await expectDone(client.post('/api/geo/overlays/delta', { geo_id: map_uuid, added: [drawn(), drawn()] }));
  return { heater, vent, map_uuid };
}

async function addOutput(part: string, safe_state: 'on' | 'off'): Promise<string> {
  const options = { house: houseId, part };
  const sent = { name: part, driver: 'simulated', options, channels: [{ channel: 0, safe_state }] };
  const { status, body } = await client.post('/api/settings/outputs', sent);
  expect(status).toBe(201);
  return (body as Output).unique_id; // by its contract
}

async function expectDone(call: Promise<{ status: number; body: unknown }>): Promise<void> {
  const { status, body } = await call;
  expect([200, 201], JSON.stringify(body)).toContain(status);
}

async function stateOf(output: string): Promise<LiveOutput['state'][number] | undefined> {
  return ((await client.get(`/api/outputs/${output}`)).body as LiveOutput).state[0]; // by its contract
}

async function expectKept({ map_uuid }: Site): Promise<void> {
  expect((await client.get('/api/geo/settings')).body).toMatchObject({ site_name: 'North field' });
  const { body } = await client.get(`/api/geo/overlays?geo_id=${map_uuid}`);
  expect((body as { features: unknown[] }).features).toHaveLength(2); // by its contract
}

/** Safe first; only then does the override that has not run out come back. */
async function expectSafe({ heater, vent }: Site): Promise<void> {
  expect(
    await until(
      () => stateOf(vent),
      (state) => state?.state === 100,
    ),
  ).toMatchObject({ quality: 'good' });
  expect(
    await until(
      () => stateOf(heater),
      (state) => state?.state === 'on',
    ),
  ).toMatchObject({ source: 'manual' });
}

describe('kill -9 of the daemon', () => {
  it('health answers 503 from the moment a daemon is killed until the next one answers', async () => {
    const health = async () => {
      const { status, body } = await client.get('/api/health');
      return { status, ...(body as object) }; // an object, as all bodies
    };
    await expect.poll(health).toEqual({ status: 'up' });
    killHard(daemonPid());
    await expect.poll(health, { interval: 20 }).toMatchObject({ status: 503, code: 'not_available' });
    await expect.poll(health).toEqual({ status: 'up' });
  }, 90_000);

  it('brings another, outputs safe first, and says what happened', async () => {
    const site = await makeSite();
    const before = daemonPid();
    const events = await client.events('/api/events?kinds=daemon,output');
    killHard(before);
    const view = await until(daemonView, ({ state, restarts }) => state === 'up' && restarts === 1);
    expect(view.last_restart?.reason).toMatch(/the daemon (ended|was ended)/);
    expect(daemonPid()).not.toBe(before);
    await expectSafe(site);
    await until(
      () => events.lines.join('\n'),
      (text) => /"state":"unreachable"[^]*event: reset/.test(text),
    );
    events.close();
    await expectKept(site);
  });

  it('three times in a row is survived', async () => {
    const site = await makeSite();
    for (const restarts of [1, 2, 3]) {
      killHard(daemonPid());
      await until(daemonView, (view) => view.restarts === restarts && view.state === 'up');
    }
    await expectSafe(site);
  });
});

describe('kill -9 of the server', () => {
  it('leaves the daemon controlling, and the next start takes it over with all that was acknowledged', async () => {
    const site = await makeSite();
    const daemon = daemonPid();
    await killServer();
    expect(daemonPid()).toBe(daemon);
    await start();
    expect(daemonPid()).toBe(daemon);
    expect(await stateOf(site.heater)).toMatchObject({ state: 'on', source: 'manual' });
    expect(await stateOf(site.vent)).toMatchObject({ state: 'off', source: 'manual' });
    await expectKept(site);
    expect(await daemonView()).toMatchObject({ state: 'up', restarts: 0 });
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    expect(processesOf(dataDirectory)).toEqual([]);
  });

  it('while maps are saved loses none that was answered', async () => {
    const { map_uuid } = await makeSite();
    const saved: string[] = [];
    const save = async (): Promise<void> => {
      for (;;) {
        const id = randomUUID();
        const delta = { geo_id: map_uuid, added: [drawn({ id })] };
        const { status } = await client.post('/api/geo/overlays/delta', delta);
        if (status === 200) saved.push(id);
      }
    };
    const cut = save().catch(() => 'cut');
    await until(
      () => saved.length,
      (count) => count >= 5,
    );
    service.child.kill('SIGKILL');
    expect(await cut).toBe('cut');
    client.close();
    await start();
    const { body } = await client.get(`/api/geo/overlays?geo_id=${map_uuid}`);
    const kept = (body as { features: { properties: { unique_id: string } }[] }).features; // by its contract
    expect(kept.map(({ properties }) => properties.unique_id)).toEqual(expect.arrayContaining(saved));
  });
});

describe('kill -9 of both', () => {
  it('keeps what was acknowledged, and the next start drives outputs safe', async () => {
    const site = await makeSite();
    const daemon = daemonPid();
    await killServer();
    killHard(daemon);
    await start();
    expect(daemonPid()).not.toBe(daemon);
    await expectSafe(site);
    await expectKept(site);
  });
});

it('tells how much memory the daemon uses', async () => {
  const { memory_mb } = await until(daemonView, (view) => view.memory_mb !== null);
  expect(memory_mb).toBeGreaterThan(20);
  expect(memory_mb).toBeLessThan(500);
});

it('a stop that a hung daemon did not answer holds once it is started again', async () => {
  const heater = await addOutput('heater', 'off');
  const override_until = new Date(Date.now() + 3_600_000).toISOString();
  await expectDone(client.post(`/api/outputs/${heater}`, { state: true, override_until }));
  const hung = daemonPid();
  process.kill(hung, 'SIGSTOP');
  expect((await client.post('/api/emergency_stop', { reason: 'smoke' })).status).toBeGreaterThanOrEqual(500);
  const told = await until(
    async () => (await client.get('/api/emergency_stop')).body as Partial<EmergencyStop>, // or why there is no answer
    ({ active }) => active === true,
  );
  expect(daemonPid()).not.toBe(hung);
  expect(told).toMatchObject({ reason: 'smoke' });
  await until(
    () => stateOf(heater),
    (state) => state?.state === 'off' && state.quality === 'good',
  );
});
