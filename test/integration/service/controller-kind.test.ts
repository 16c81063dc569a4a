import { dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { SecretBox } from '../../../server/auth/secret-box.ts';
import type { ControllerWord } from '../../../server/contract/controller-kinds.ts';
import type { Device } from '../../../server/contract/device.ts';
import { measurementsMigrations } from '../../../server/db/migrations/measurements.ts';
import { openDatabase } from '../../../server/db/open.ts';
import { openMeasurementReader } from '../../../server/measurement/sqlite/reader.ts';
import { spaceOf } from '../../../server/measurement/sqlite/space.ts';
import { openMeasurementWriter } from '../../../server/measurement/sqlite/writer.ts';
import { systemClock } from '../../../server/daemon/clock.ts';
import { KeptConfiguration } from '../../../server/daemon/configuration/kept-configuration.ts';
import { Daemon } from '../../../server/daemon/daemon.ts';
import { openControlStore } from '../../../server/daemon/store/control-store.ts';
import { KeptControlStore } from '../../../server/daemon/store/kept-control-store.ts';
import { StaleMark } from '../../../server/daemon/store/stale-mark.ts';
import { LastKnown } from '../../../server/daemon/store/last-known.ts';
import { DaemonControl } from '../../../server/orangery_client.ts';
import { groupsOf } from '../../../renderer/features/devices/device-groups.ts';
import { testWholeApi, unlimited, wholeKey, type Connect } from '../../support/whole-api.ts';

// A made-up kind: its contract file, its folder, and one line in each list.
vi.mock(import('../../../server/contract/controller-list.ts'), async (original) => {
  const [{ controllerKinds }, { beaconKind }] = [await original(), await import('../../fixtures/beacon/contract.ts')];
  return { controllerKinds: [...controllerKinds, beaconKind] as unknown as typeof controllerKinds };
});
vi.mock(import('../../../server/daemon/controllers/kinds.ts'), async (original) => {
  const [{ runningKinds }, { beacons }] = [await original(), await import('../../fixtures/beacon/beacons.ts')];
  return { runningKinds: [...runningKinds, beacons] };
});
vi.mock(import('../../../renderer/features/devices/device-kinds.ts'), async (original) => {
  const { deviceKinds } = await original();
  const word = 'beacon' as ControllerWord; // of the list above
  return { deviceKinds: deviceKinds.flatMap((kind) => (kind.word === 'lcd' ? [kind, { ...kind, word }] : [kind])) };
});

/** A daemon in this process, which therefore has the lists above. */
const startDaemon: Connect = async ({ db }) => {
  const dataDirectory = dirname(db.name);
  const file = (name: string): string => join(dataDirectory, name);
  openDatabase(file('measurements.db'), { migrations: measurementsMigrations }).close();
  const quiet = { log: () => undefined, tell: () => undefined };
  const lastKnown = new LastKnown(file('last-known.json'), quiet.log);
  const server_token = 'token';
  const daemon = new Daemon({
    ...quiet,
    dataDirectory,
    lastKnown,
    clock: systemClock,
    host: '127.0.0.1',
    port: 0,
    version: '1.0.0',
    linger_s: null,
    crash_loop: null,
    safe_s: 0,
    stop: null,
    access: { server_token, loopback_secret: undefined },
    secrets: new SecretBox(file('secret.key')),
    configuration: new KeptConfiguration({ ...quiet, file: db.name, lastKnown }),
    store: new KeptControlStore({
      ...quiet,
      clock: systemClock,
      store: openControlStore(file('control.db')),
      lastKnown,
      mark: new StaleMark(file('control.stale')),
    }),
    writer: openMeasurementWriter(file('measurements.db')),
    reader: openMeasurementReader(file('measurements.db')),
    space: () => spaceOf(file('measurements.db')),
    asked: () => undefined,
    terminate: () => undefined,
  });
  await daemon.start();
  onTestFinished(async () => void (await daemon.stop(true)));
  const pyro_uri = `PYRO:orangery.pyro_server@127.0.0.1:${daemon.port}`;
  return () => new DaemonControl({ pyro_uri, pyro_handshake: server_token });
};

it('is configured over REST, runs, tells of itself, alarms, is listed, and goes', async () => {
  const api = await testWholeApi(unlimited, startDaemon);
  const { live } = api.services;
  const ask = (method: string, path: string, body?: object) =>
    api.request(method, path, { key: wholeKey, ...(body && { body }) });
  const switched = await ask('POST', '/api/settings/outputs', { name: 'Lamp', driver: 'simulated' });
  const { unique_id: output_id } = switched.body as { unique_id: string }; // of an output
  const refused = await ask('POST', '/api/settings/beacons', { name: 'x', lamp: { output_id: wholeKey } });
  expect(refused).toMatchObject({ status: 400, body: { code: 'unknown_reference' } });
  const contradictory = await ask('POST', '/api/settings/beacons', { name: 'x', word: 'x', lamp: { output_id } });
  expect(contradictory).toMatchObject({ status: 400, body: { errors: [{ path: 'word' }] } });

  const made = await ask('POST', '/api/settings/beacons', { name: 'Tower', lamp: { output_id } });
  expect(made).toMatchObject({ status: 201, body: { word: 'calm', is_activated: true } });
  const { unique_id } = made.body as { unique_id: string }; // of what was made
  await vi.waitFor(() => expect(live.controller(unique_id)?.status).toMatchObject({ state: 'running' }));
  await ask('PATCH', `/api/settings/beacons/${unique_id}`, { word: 'hello' });
  await vi.waitFor(() => expect(live.control(unique_id)).toEqual({ says: 'hello', changes: 1 }));

  const second = await ask('POST', '/api/settings/beacons', { name: 'Other', lamp: { output_id } });
  expect(second).toMatchObject({ status: 409, body: { code: 'output_driven', owner: { unique_id, name: 'Tower' } } });
  expect(await ask('DELETE', `/api/settings/outputs/${output_id}`)).toMatchObject({
    status: 409,
    body: { code: 'in_use', users: [{ kind: 'beacon', unique_id, name: 'Tower' }] },
  });

  await ask('PATCH', `/api/settings/beacons/${unique_id}`, { fault: 'the bulb is broken' });
  const alarm = { code: 'controller_down', source_kind: 'controller', source_name: 'Tower' };
  await vi.waitFor(() => expect(live.alarms()).toMatchObject([alarm]), { timeout: 60_000 });

  const { devices } = (await ask('GET', '/api/geo/devices')).body as { devices: Device[] }; // as declared
  const groups = groupsOf(devices, false).map(({ view, devices: some }) => [view.word, some.map(({ name }) => name)]);
  expect(groups).toContainEqual(['beacon', ['Tower']]);

  await ask('POST', `/api/controllers/${unique_id}`, { activate: false });
  await vi.waitFor(() => expect(live.controller(unique_id)?.status.state).toBe('stopped'));
  expect(await ask('DELETE', `/api/settings/beacons/${unique_id}`)).toMatchObject({ status: 200 });
  expect((await ask('GET', '/api/settings/beacons')).body).toEqual({ beacons: [], next_cursor: null });
});
