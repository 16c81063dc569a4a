import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { SecretBox } from '../../server/auth/secret-box.ts';
import { systemActor } from '../../server/auth/system-actor.ts';
import type { Actor, AuditEntry } from '../../server/auth/actor.ts';
import type { Facility, FacilitySave } from '../../server/contract/facility.ts';
import type { Input } from '../../server/contract/input.ts';
import type { Output } from '../../server/contract/output.ts';
import type { FeatureType } from '../../server/contract/overlay.ts';
import type { Database } from '../../server/db/open.ts';
import { OwedStop } from '../../server/services/device/owed-stop.ts';
import { defaultSettings } from '../../server/services/setting/defaults.ts';
import type { Settings } from '../../server/contract/setting.ts';
import { repositoriesOf } from '../../server/composition/repositories.ts';
import type { ServiceParts } from '../../server/composition/parts.ts';
import { composeServices, followDaemon, type Services } from '../../server/composition/services.ts';
import { AlarmRepository } from '../../server/db/repositories/alarm.ts';
import { LaterWrites } from '../../server/db/later-writes.ts';
import { transactor } from '../../server/db/transaction.ts';
import { testDatabase } from './database.ts';
import { ScriptedDaemon } from './scripted-daemon.ts';

export const devicesStart = Date.parse('2026-03-01T06:00:00.000Z');

export const grower: Actor = { ...systemActor, user_id: randomUUID(), username: 'grower', role: 'Editor' };

export interface TestDevices extends Services {
  db: Database;
  /** The daemon's. */
  control: Database;
  /** Starts listening to the daemon. */
  start: () => void;
  /** Ends what the services began, as a stop does. */
  stop: () => Promise<void>;
  daemon: ScriptedDaemon;
  /** `set_ms`: the part of it by which the clock was set instead of waiting. */
  clock: { ms: number; set_ms: number };
  audited: AuditEntry[];
  warnings: string[];
  /** Settings of the site; a change counts as one of the file only after a write to it. */
  site: Settings;
  mapId: string;
  /** Draws a feature and returns its id; default a square site. */
  draw: (feature?: { type?: FeatureType; geometry?: unknown; device_id?: string }) => string;
  house: (save?: FacilitySave) => Facility;
  sensor: () => Promise<Input>;
  switch: () => Promise<Output>;
}

/** All services over a fresh orangery.db with one map, for a scripted daemon. */
export function testDevices({ endDaemon }: Pick<ServiceParts, 'endDaemon'> = {}): TestDevices {
  const db = testDatabase('orangery');
  const clock = { ms: devicesStart, set_ms: 0 };
  const daemon = new ScriptedDaemon(() => clock.ms);
  const audited: AuditEntry[] = [];
  const warnings: string[] = [];
  const site = defaultSettings('Asia/Seoul');
  const control = testDatabase('control');
  const begun = new AsyncDisposableStack();
  onTestFinished(() => begun.disposeAsync());
  const services = composeServices({
    db,
    repositories: repositoriesOf(db),
    transact: transactor(db),
    later: new LaterWrites({ db }),
    audit: { record: (entry) => void audited.push(entry) },
    secrets: new SecretBox(join(dirname(db.name), 'secret.key')),
    settings: () => site,
    clock: () => clock.ms,
    elapsed: () => clock.ms - clock.set_ms,
    trusted: () => clock.ms,
    log: { warn: (message) => void warnings.push(message) },
    onJobFault: (error) => void warnings.push(String(error)),
    onLookFault: (error) => void warnings.push(String(error)),
    connectDaemon: () => daemon.connect(),
    ...(endDaemon && { endDaemon }),
    measurementsFile: join(dirname(db.name), 'measurements.db'),
    journal: new AlarmRepository(control),
    deliver: async () => 'delivered',
    keys: { providerKey: () => undefined, wmsPassword: () => undefined },
    relayCacheFile: ':memory:',
    baseMapsFolder: dirname(db.name),
    cadastreFile: join(dirname(db.name), 'cadastre.db'),
    begun,
    version: '0.0.0',
    directory: dirname(db.name),
    owedStop: new OwedStop(join(dirname(db.name), 'owed-stop.json'), (message) => void warnings.push(message)),
    passwordCheck: { proveAgain: async () => undefined },
  });
  const mapId = addMap(db);
  const draw: TestDevices['draw'] = (feature = {}) => addFeature(db, mapId, feature);
  return {
    ...services,
    start: () => followDaemon(services),
    stop: () => begun.disposeAsync(),
    db,
    control,
    daemon,
    clock,
    audited,
    warnings,
    site,
    mapId,
    draw,
    house: (save = {}) =>
      services.facilities.save(grower, { name: 'House', shape_uuid: save.shape_uuid ?? draw(), envelope, ...save })
        .facility,
    sensor: () => services.inputs.create(grower, { name: 'Sensor', driver: 'simulated', period_s: 1 }),
    switch: () => services.outputs.create(grower, { name: 'Switch', driver: 'simulated' }),
  };
}

export const envelope = {
  material: 'vinyl_double',
  bay_width_m: 8,
  length_m: 50,
  eave_height_m: 2.5,
  ridge_height_m: 4,
} as const;

function addMap(db: Database): string {
  const id = randomUUID();
  db.prepare(
    `INSERT INTO designs (map_uuid, name, lat, lng, zoom, layers, revision, is_saved, created_at, updated_at)
     VALUES (?, 'Farm', 37, 127, 18, '{}', 1, 1, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')`,
  ).run(id);
  return id;
}

const square = {
  type: 'Polygon',
  coordinates: [
    [
      [127, 37],
      [127.001, 37],
      [127.001, 37.0002],
      [127, 37.0002],
      [127, 37],
    ],
  ],
};

function addFeature(db: Database, mapId: string, { type = 'site', geometry = square, device_id }: Feature): string {
  const id = randomUUID();
  db.prepare(
    `INSERT INTO features (unique_id, map_uuid, type, geometry, properties, device_id, west, south, east, north,
       ordinal, changed_revision)
     VALUES (?, ?, ?, ?, ?, ?, 127, 37, 127, 37, 1, 0)`,
  ).run(id, mapId, type, JSON.stringify(geometry), JSON.stringify({ type, name: 'drawn' }), device_id ?? null);
  return id;
}

type Feature = NonNullable<Parameters<TestDevices['draw']>[0]>;
