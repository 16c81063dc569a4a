import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { daemonRoutes } from '../../../server/api/routes/daemon.ts';
import { deviceRoutes } from '../../../server/api/routes/device.ts';
import { driverRoutes } from '../../../server/api/routes/driver.ts';
import { eventRoutes } from '../../../server/api/routes/event.ts';
import { facilityRoutes } from '../../../server/api/routes/facility.ts';
import { inputRoutes } from '../../../server/api/routes/input.ts';
import { outputRoutes } from '../../../server/api/routes/output.ts';
import { presetRoutes } from '../../../server/api/routes/preset.ts';
import { studyResult } from '../../../server/contract/study.ts';
import { LaterWrites } from '../../../server/db/later-writes.ts';
import { contentVersion } from '../../../server/db/content-version.ts';
import { DesignRepository } from '../../../server/db/repositories/design.ts';
import { FacilityRepository } from '../../../server/db/repositories/facility.ts';
import { JobRepository } from '../../../server/db/repositories/job.ts';
import { SiteChanges } from '../../../server/services/live/site-changes.ts';
import { startDaemonAgain } from '../../../server/services/live/daemon-start.ts';
import { viewDaemon } from '../../../server/services/live/daemon-view.ts';
import { EventService } from '../../../server/services/live/event.ts';
import { JobRunner } from '../../../server/services/record/job.ts';
import { startTestApi, type TestApi, type TestRequest } from '../../support/api.ts';
import { envelope, testDevices, type TestDevices } from '../../support/devices.ts';
import { remoteError, stateOf } from '../../support/scripted-daemon.ts';
import { mildYear } from '../../support/mild-year.ts';

let all: TestDevices;
let api: TestApi;
/** Whether the daemon waits to be started again. */
const isStopped = { now: false };

beforeEach(async () => {
  all = testDevices();
  const { db, live } = all;
  const clock = () => all.clock.ms;
  const changes = new SiteChanges({
    designs: new DesignRepository(db),
    facilities: new FacilityRepository(db),
    content: contentVersion(db),
    clock,
    onFault: () => undefined,
  });
  const jobs = new JobRunner({
    rows: new JobRepository(db),
    later: new LaterWrites({ db }),
    clock,
    trusted: clock,
    onFault: () => undefined,
  });
  api = await startTestApi({
    routes: [
      ...inputRoutes(all),
      ...outputRoutes(all),
      ...presetRoutes(all.presets),
      ...driverRoutes(all.drivers),
      ...deviceRoutes(all.devices),
      ...facilityRoutes(all),
      ...eventRoutes(new EventService({ live, jobs, changes, clock })),
      ...daemonRoutes({
        view: () => viewDaemon(all.live, { restarts: 0, last_restart: null, crash_loop: false, is_stopped: false }),
        startDaemon: (actor) =>
          startDaemonAgain(actor, {
            audit: { record: (entry) => void all.audited.push(entry) },
            startAgain: async () => isStopped.now,
          }),
      }),
    ],
  });
  onTestFinished(() => api.close());
});

const key = 'key:Editor';
const call = (method: string, path: string, body?: unknown, headers: TestRequest['headers'] = {}) =>
  api.request(method, path, { key, headers, ...(body !== undefined && { body }) });

const house = () => call('POST', '/api/geo/facility', { name: 'House', shape_uuid: all.draw(), envelope });
const idOf = (answer: { body: unknown }) => String((answer.body as { unique_id: string }).unique_id); // asserted by the calls that use it

describe('settings of devices', () => {
  it.each(['inputs', 'outputs'])('%s are made, listed, read and deleted', async (kind) => {
    const made = await call('POST', `/api/settings/${kind}`, { name: 'One', driver: 'simulated' });
    expect([made.status, made.headers.location]).toEqual([201, `/api/settings/${kind}/${idOf(made)}`]);
    expect((await call('GET', `/api/settings/${kind}`)).body).toEqual({ [kind]: [made.body], next_cursor: null });
    const path = `/api/settings/${kind}/${idOf(made)}`;
    const shouted = `/api/settings/${kind}/${idOf(made).toUpperCase()}`;
    expect((await call('GET', shouted)).body).toEqual(made.body);
    expect((await call('DELETE', path)).body).toEqual({ unique_id: idOf(made), deleted: true });
    expect((await call('GET', path)).status).toBe(404);
  });

  it('makes the simulated greenhouse', async () => {
    const made = await call('POST', '/api/settings/presets/simulated_greenhouse', { speed: 10 });
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({ inputs: [{ name: 'Greenhouse indoor climate' }, {}], lcds: [{}] });
    expect((await call('GET', '/api/geo/devices')).body).toMatchObject({ devices: { length: 12 } });
  });

  it('says that the drivers cannot be asked for without the daemon', async () => {
    expect((await call('GET', '/api/drivers')).body).toEqual({ drivers: [] });
    all.daemon.failure = remoteError('connection_failed');
    expect(await call('GET', '/api/drivers')).toMatchObject({ status: 502, body: { code: 'daemon_unreachable' } });
  });

  it('shows the daemon', async () => {
    expect((await call('GET', '/api/daemon')).body).toMatchObject({ state: 'starting', version: null });
    all.start();
    await all.daemon.polled();
    expect((await call('GET', '/api/daemon')).body).toMatchObject({ state: 'up', version: '1.2.3', restarts: 0 });
  });
});

describe('a daemon that a program told to stop', () => {
  const by = 'pyro (127.0.0.1:40000)';

  it('is named in view, alerts and audit, and started again by whoever may switch', async () => {
    all.start();
    await all.daemon.polled();
    const start = () => call('POST', '/api/daemon/start');
    expect(await start()).toMatchObject({ status: 409, body: { code: 'conflict' } });
    all.daemon.emit({ kind: 'daemon', state: 'stopping', message: `told to stop by ${by}`, ended_by: by });
    await all.daemon.polled();
    expect(all.audited.at(-1)).toMatchObject({ kind: 'program.terminate_daemon', after: { ended_by: by } });
    all.daemon.break();
    await expect.poll(() => all.live.daemonState).toBe('unreachable');
    expect((await call('GET', '/api/daemon')).body).toMatchObject({ state: 'unreachable', stopped_by: by });
    expect((await call('GET', '/api/daemon/end')).body).toMatchObject({ state: 'unreachable', stopped_by: by });
    const id = idOf(await house());
    expect((await call('GET', `/api/geo/facility/${id}/runtime`)).body).toMatchObject({
      level: 'emergency',
      alerts: { items: [{ code: 'daemon_down', detail: `terminate_daemon: ${by}` }] },
    });
    isStopped.now = true;
    onTestFinished(() => void (isStopped.now = false));
    expect((await start()).status).toBe(200);
    expect(all.audited.at(-1)).toMatchObject({ kind: 'daemon.start', after: { started: true } });
    expect((await api.request('POST', '/api/daemon/start', { key: 'key:Monitor' })).status).toBe(403);
  });
});

describe('commands', () => {
  it('answers 200 for what was done and the status of what was not', async () => {
    const { unique_id } = await all.switch();
    const path = `/api/outputs/${unique_id}`;
    expect(await call('POST', path, { state: true })).toMatchObject({ status: 200, body: { outcome: 'confirmed' } });
    all.daemon.answer = () => ({ outcome: 'blocked', code: 'interlock', message: 'vent open', state: stateOf({}) });
    expect(await call('POST', path, { state: true })).toMatchObject({
      status: 409,
      body: { code: 'blocked', detail: 'vent open', reason: 'interlock', outcome: 'blocked' },
    });
    all.daemon.answer = () => ({ outcome: 'pending', code: 'interlock', message: 'kept', state: stateOf({}) });
    expect(await call('POST', path, { state: true, keep: true })).toMatchObject({
      status: 202,
      body: { outcome: 'pending', code: 'interlock', message: 'kept' },
    });
    expect(all.daemon.commands.at(-1)).toMatchObject({ keep: true });
    all.daemon.answer = () => ({ outcome: 'pending', code: 'waiting', message: 'sent', state: stateOf({}) });
    expect(await call('POST', path, { state: true })).toMatchObject({ status: 200, body: { code: 'waiting' } });
    all.daemon.failure = remoteError('timeout');
    expect(await call('POST', path, { state: true })).toMatchObject({ status: 504, body: { code: 'command_unknown' } });
  });

  it('refuses an action by its path before anything is sent', async () => {
    const id = idOf(await house());
    const answer = await call('POST', `/api/geo/facility/${id}/apply`, { actions: [{ role: 'heater', state: true }] });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'role_not_bound', errors: [{ path: 'actions[0].role' }] },
    });
  });
});

describe('facilities', () => {
  it('are made, changed, deleted and restored', async () => {
    const made = await house();
    const id = idOf(made);
    expect([made.status, made.headers.location]).toEqual([201, `/api/geo/facility/${id}`]);
    const changed = await call('POST', '/api/geo/facility', { unique_id: id, envelope: { length_m: 60 } });
    expect(changed).toMatchObject({ status: 200, body: { revision: 2, envelope: { ...envelope, length_m: 60 } } });
    expect((await call('GET', `/api/geo/facility/list?geo_id=${all.mapId}`)).body).toEqual({
      facilities: [changed.body],
      next_cursor: null,
    });
    expect((await call('DELETE', `/api/geo/facility/${id}`)).body).toEqual({ unique_id: id, deleted: true });
    expect((await call('GET', '/api/geo/facility/list?trash=true')).body).toEqual({
      facilities: [changed.body],
      next_cursor: null,
    });
    expect((await call('GET', `/api/geo/facility/${id}`)).status).toBe(404);
    expect(await call('POST', `/api/geo/facility/${id}/restore`)).toMatchObject({
      status: 200,
      body: { unique_id: id },
    });
  });

  it('computes without saving, at the place of the site', async () => {
    const answer = await call('POST', '/api/geo/facility/compute', { envelope, bay_count: 1 });
    expect(answer).toMatchObject({ status: 200, body: { area_m2: 400, volume_m3: 1300 } });
    expect(answer.body).toMatchObject({ assumptions: { heating_outdoor_c: { value: -11.8 } } });
    const unknown = await call('POST', '/api/geo/facility/compute', {
      envelope: { ...envelope, material: 'paper' },
      bay_count: 1,
    });
    expect(unknown).toMatchObject({ status: 400, body: { code: 'unknown_material' } });
    expect(all.facilities.list({})).toEqual([]);
  });

  it('works out a year in a worker, by the conditions of the site, and refuses an unknown covering', async () => {
    const answer = await call('POST', '/api/geo/facility/study', { envelope, bay_count: 1 });
    expect(answer).toMatchObject({ status: 200 });
    expect(studyResult.safeParse(answer.body).error).toBeUndefined();
    expect(answer.body).toMatchObject({ assumptions: { weather: { source: 'nearest_station' } } });
    const unknown = { envelope: { ...envelope, end_material: 'paper' }, bay_count: 1 };
    expect(await call('POST', '/api/geo/facility/study', unknown)).toMatchObject({
      status: 400,
      body: { code: 'unknown_material', errors: [{ path: 'envelope.end_material' }] },
    });
  });

  it('works out a recorded year, and refuses a file that is not there, is no year or lies elsewhere', async () => {
    const folder = join(dirname(all.db.name), 'weather');
    mkdirSync(folder);
    const lines = (hours: number, temp_c: number): string =>
      ['temp_c,humidity_pct,global_radiation_w_m2', ...Array.from({ length: hours }, () => `${temp_c},70,0`)].join(
        '\n',
      );
    for (const temp_c of [0, -10]) writeFileSync(join(folder, `cold${temp_c}.csv`), lines(8_760, temp_c));
    writeFileSync(join(folder, 'short.csv'), lines(48, 0));
    const study = (weather_file: string) =>
      call('POST', '/api/geo/facility/study', { envelope, bay_count: 1, weather_file });
    const heatIn = async (file: string): Promise<number> => {
      const { status, body } = await study(file);
      expect([status, body]).toMatchObject([200, { assumptions: { weather: { value: file, source: 'request' } } }]);
      return studyResult.parse(body).year.heat_kwh;
    };
    // Dark and even: what is lost goes with the difference to indoors.
    expect((await heatIn('cold-10.csv')) / (await heatIn('cold0.csv'))).toBeGreaterThan(1.4);
    for (const [file, code] of [
      ['none.csv', 'unknown_reference'],
      ['short.csv', 'invalid_field'],
      ['../cold0.csv', 'invalid_field'],
    ] as const) {
      expect(await study(file)).toMatchObject({ status: 400, body: { code, errors: [{ path: 'weather_file' }] } });
    }
  });

  it('keeps years of weather that are uploaded, refuses what is none, and deletes them', async () => {
    const path = '/api/geo/weather_files';
    const save = (name: string, file: string) => call('POST', `${path}/${name}`, { file });
    const names = async () =>
      ((await call('GET', path)).body as { weather_files: { name: string }[] }).weather_files.map(({ name }) => name);
    expect(await save('own.csv', mildYear)).toMatchObject({ status: 200, body: { name: 'own.csv' } });
    expect(await names()).toContain('own.csv');
    const study = () => call('POST', '/api/geo/facility/study', { envelope, bay_count: 1, weather_file: 'own.csv' });
    expect(await study()).toMatchObject({ status: 200, body: { assumptions: { weather: { value: 'own.csv' } } } });
    for (const [name, file, where] of [
      ['own.csv', mildYear.slice(0, 4_000), 'file'],
      ['own.epw', mildYear, 'file'],
    ] as const) {
      expect(await save(name, file)).toMatchObject({ status: 400, body: { errors: [{ path: where }] } });
    }
    for (const name of ['own.txt', '..%2Fown.csv']) expect(await save(name, mildYear)).toMatchObject({ status: 404 });
    expect(await study()).toMatchObject({ status: 200 });
    expect(await call('DELETE', `${path}/own.csv`)).toMatchObject({ status: 200, body: { deleted: true } });
    expect(await call('DELETE', `${path}/own.csv`)).toMatchObject({ status: 404 });
    expect(await names()).not.toContain('own.csv');
  });

  it('holds the floor against the shape that a house is drawn as, and takes its place', async () => {
    const side_deg = 20 / 111_195;
    const [west, south] = [128.65, 35.88]; // Daegu
    const ring = [
      [west, south],
      [west + side_deg, south],
      [west + side_deg, south + side_deg],
      [west, south],
    ];
    const shape_uuid = all.draw({ geometry: { type: 'Polygon', coordinates: [ring] } });
    const ask = (id: string) => call('POST', '/api/geo/facility/compute', { envelope, bay_count: 1, shape_uuid: id });
    const { body } = await ask(shape_uuid);
    expect(body).toMatchObject({ assumptions: { heating_outdoor_c: { value: -7.8 } } });
    expect(body).toHaveProperty(
      'warnings',
      expect.arrayContaining([expect.objectContaining({ code: 'footprint_differs' })]),
    );
    expect(await ask(randomUUID())).toMatchObject({ status: 400, body: { code: 'unknown_reference' } });
  });

  it('lists the coverings with their sources', async () => {
    const { body } = await call('GET', '/api/geo/materials');
    const { materials } = body as { materials: { code: string; u_w_m2k: number }[] }; // checked by the contract
    expect(materials.find((one) => one.code === 'vinyl_double')?.u_w_m2k).toBe(3.47);
  });

  it('answers runtime with a tag, and 304 to who has it', async () => {
    const path = `/api/geo/facility/${idOf(await house())}/runtime`;
    const first = await call('GET', path);
    expect(first).toMatchObject({ status: 200, body: { level: 'idle' } });
    const etag = first.headers.etag ?? '';
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
      expect(await call('GET', path, undefined, { 'if-none-match': known })).toMatchObject({ status: 304, text: '' });
    }
    expect((await call('GET', path, undefined, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('asks for both figures of the wind', async () => {
    const path = `/api/geo/facility/${idOf(await house())}/wind`;
    expect((await call('GET', `${path}?wind_speed=3`)).status).toBe(400);
    expect((await call('GET', `${path}?wind_speed=3&wind_dir=90`)).body).toMatchObject({ source: 'default' });
  });
});

describe('the event stream', () => {
  /** Reads the stream until it holds the text. */
  function readUntil(path: string, wanted: string, headers: Record<string, string> = {}): Promise<string> {
    return new Promise((resolve, reject) => {
      let text = '';
      const request = httpsRequest(
        { host: 'localhost', family: 4, port: api.port, ca: api.ca, path, headers: { 'x-api-key': key, ...headers } },
        (response) => {
          expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
          response.on('data', (chunk: Buffer) => {
            text += chunk.toString();
            if (!text.includes(wanted)) return;
            resolve(text);
            request.destroy();
          });
        },
      );
      request.on('error', reject);
      request.end();
    });
  }

  it('sends events with their ids, and what was missed to who names the last one', async () => {
    all.start();
    await all.daemon.polled();
    for (const message of ['one', 'two', 'three']) all.daemon.emit({ kind: 'daemon', state: 'started', message });
    await all.daemon.polled();
    const text = await readUntil('/api/events?kinds=daemon', 'three', { 'last-event-id': 'b1:1' });
    expect(text.split('\n\n').slice(0, 3)).toEqual([
      'retry: 2000',
      'event: daemon\nid: b1:2\ndata: {"id":"b1:2","at":"2026-03-01T06:00:00.000Z","kind":"daemon","state":"started","message":"two"}',
      'event: daemon\nid: b1:3\ndata: {"id":"b1:3","at":"2026-03-01T06:00:00.000Z","kind":"daemon","state":"started","message":"three"}',
    ]);
  });

  it('tells of a house that somebody makes, and again to who comes back', async () => {
    all.start();
    await all.daemon.polled();
    const first = readUntil('/api/events?kinds=facility', '"state":"living"');
    const id = idOf(await house());
    expect(await first).toContain(`"facility_uuid":"${id}"`);
    expect(await readUntil('/api/events?kinds=facility&last_event_id=b1:0', 'event: facility')).toContain(id);
  });

  it('tells who was away too long to read again', async () => {
    all.start();
    await all.daemon.polled();
    const text = await readUntil('/api/events?last_event_id=old:1', 'reset');
    expect(text).toContain('event: reset\nid: b1:0\n');
  });

  it('refuses a kind that does not exist', async () => {
    expect(await call('GET', '/api/events?kinds=weather')).toMatchObject({
      status: 400,
      body: { code: 'invalid_field' },
    });
  });
});
