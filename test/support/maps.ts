import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { systemActor } from '../../server/auth/system-actor.ts';
import type { Actor, AuditEntry } from '../../server/auth/actor.ts';
import { design, type Design } from '../../server/contract/design.ts';
import { isRefusal, type Refusal } from '../../server/contract/errors.ts';
import {
  featureCollection,
  type FeatureCollection,
  type FeatureInput,
  type FeatureType,
} from '../../server/contract/overlay.ts';
import type { Database } from '../../server/db/open.ts';
import { LaterWrites } from '../../server/db/later-writes.ts';
import { JobRepository } from '../../server/db/repositories/job.ts';
import { DesignService } from '../../server/services/map/design.ts';
import { JobRunner } from '../../server/services/record/job.ts';
import { MapRunner } from '../../server/services/map/runner.ts';
import { OverlayService } from '../../server/services/map/overlay.ts';
import { testDatabase } from './database.ts';

export const mapsStart = Date.parse('2026-03-01T06:00:00.000Z');

export interface TestMaps {
  db: Database;
  runner: MapRunner;
  designs: DesignService;
  overlays: OverlayService;
  jobs: JobRunner;
  audited: AuditEntry[];
  /** Failures of jobs other than refusals. */
  faults: unknown[];
  clock: { ms: number };
  /** How often the trash of facilities was checked. */
  purged: { facilities: number };
  /** Creates a saved map and returns its id. */
  add(name?: string): Promise<string>;
  read(mapId: string): Promise<FeatureCollection>;
  readDesign(mapId: string): Promise<Design>;
}

const deviceChannels = [0, 1, 2, 3];

/** The services of maps over a fresh orangery.db. `devices` are the existing ones. */
export function testMaps(devices: readonly string[] = []): TestMaps {
  const db = testDatabase('orangery');
  const runner = new MapRunner(db);
  onTestFinished(() => runner.close());
  const audited: AuditEntry[] = [];
  const faults: unknown[] = [];
  const clock = { ms: mapsStart };
  const purged = { facilities: 0 };
  const shared = {
    maps: runner,
    audit: { record: (entry: AuditEntry) => void audited.push(entry) },
    clock: () => clock.ms,
  };
  const designs = new DesignService({
    ...shared,
    trusted: shared.clock,
    startView: () => ({ lat: 37.5665, lng: 126.978, zoom: 13 }),
    purgeFacilities: () => void (purged.facilities += 1),
  });
  const overlays = new OverlayService({
    ...shared,
    channelsOf: (id) => (devices.includes(id) ? deviceChannels : undefined),
    deviceChannels: () => new Map(devices.map((id) => [id, deviceChannels])),
  });
  return {
    db,
    runner,
    designs,
    overlays,
    jobs: new JobRunner({
      rows: new JobRepository(db),
      later: new LaterWrites({ db }),
      clock: () => clock.ms,
      trusted: () => clock.ms,
      onFault: (error) => void faults.push(error),
    }),
    faults,
    audited,
    clock,
    purged,
    add: async (name = 'Farm') => (await designs.save({ name, lat: 37, lng: 127, zoom: 18 }, ann)).map_uuid,
    read: async (geo_id) => featureCollection.parse(parsed(await overlays.get({ geo_id }))),
    readDesign: async (mapId) => design.parse(parsed(await designs.get(mapId))),
  };
}

function person(username: string): Actor {
  return { ...systemActor, user_id: randomUUID(), username };
}

export const ann = person('ann');
export const bob = person('bob');

/** A square of `size` degrees by its south-west corner. */
export function square(lng: number, lat: number, size = 0.001): FeatureInput['geometry'] {
  const [east, north] = [lng + size, lat + size];
  const ring = [
    [lng, lat],
    [east, lat],
    [east, north],
    [lng, north],
    [lng, lat],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}

interface Drawing {
  type?: FeatureType;
  id?: string;
  geometry?: FeatureInput['geometry'];
  [property: string]: unknown;
}

/** A square site by default; every further member becomes a property. */
export function drawn({ type = 'site', id = randomUUID(), geometry = square(127, 37), ...others }: Drawing = {}) {
  return { type: 'Feature' as const, geometry, properties: { type, unique_id: id, name: 'drawn', ...others } };
}

export function parsed(json: string | Buffer): unknown {
  return JSON.parse(json.toString());
}

/** The refusal of a call; fails if it ends otherwise. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  const outcome: unknown = await call.catch((error: unknown) => error);
  if (isRefusal(outcome)) return outcome;
  throw new Error(`expected a refusal, not ${JSON.stringify(outcome)}`, { cause: outcome });
}
