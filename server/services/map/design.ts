import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { DesignListed, DesignSave, MapRevision } from '../../contract/design.ts';
import { facilityLinks } from '../../db/repositories/facility-links.ts';
import type { DesignRecord } from '../../db/repositories/design.ts';
import { periodically } from '../record/periodic.ts';
import { mapToRead } from './conflict.ts';
import { isPurgeDue } from './purge.ts';
import { cursorOf, readBareDesign } from './read.ts';
import type { Author } from './change.ts';
import { isUntidy } from './staged.ts';
import { unknownSize, type MapRunner, type SaveSize } from './runner.ts';

interface DesignPorts {
  maps: MapRunner;
  /** The first view of a map that was made without one; from the site's settings. */
  startView: () => { lat: number; lng: number; zoom: number };
  audit: AuditSink;
  /** Epoch ms. */
  clock: () => number;
  /** The trusted time, epoch ms, by which old maps are removed. */
  trusted: () => number;
  /** Removes for good facilities that were in the trash for too long. */
  purgeFacilities: () => void;
}

/** The name of a map that was never saved. */
const newMapName = 'New map';

/** The size of a write that touches only the map's own record. */
const small: SaveSize = { features: 0, edgePairs: 0 };

const historyLimit = 100;
const purgePeriodMs = 60 * 60 * 1000;

/** Maps: create, name, trash, restore, and their history. */
export class DesignService {
  readonly #ports: DesignPorts;
  #end: (() => void) | undefined;

  constructor(ports: DesignPorts) {
    this.#ports = ports;
  }

  /** Removes what is due, now and every hour; after a failure it retries a minute later. */
  start(onFault: (error: unknown) => void): void {
    this.#end = periodically(() => this.purge(), { everyMs: purgePeriodMs, onFault });
  }

  stop(): void {
    this.#end?.();
  }

  /**
   * Removes for good what is due: empty maps never saved, and old trash, facilities included. Returns the ids of the
   * maps.
   */
  async purge(): Promise<string[]> {
    const { maps, trusted, purgeFacilities } = this.#ports;
    purgeFacilities();
    if (isUntidy(maps.store)) await maps.tidy();
    const nowMs = trusted();
    return isPurgeDue(maps.store, nowMs) ? maps.write('purgeMaps', unknownSize, nowMs) : [];
  }

  /** Makes an empty map that is removed after a day unless it is saved. */
  async init(actor: Actor): Promise<{ map_uuid: string }> {
    const { maps, startView } = this.#ports;
    const map_uuid = randomUUID();
    const { at } = this.#author(actor);
    await maps.write('initDesign', small, map_uuid, { name: newMapName, ...startView(), layers: {} }, at);
    this.#record('design.init', actor, { target: map_uuid });
    return { map_uuid };
  }

  list({ trash }: { trash: boolean }): DesignListed[] {
    const { store } = this.#ports.maps;
    const counts = new Map(facilityLinks.facilityCounts(store.db).map(({ map_uuid, count }) => [map_uuid, count]));
    return store.designs.list({ trash }).map((map) => listed(map, counts.get(map.map_uuid) ?? 0));
  }

  /** JSON of a map with its features. Refuses with not_found. */
  async get(id: string): Promise<Buffer> {
    const map = mapToRead(this.#ports.maps.store, id);
    return this.#ports.maps.read('readDesign', map.feature_count, map.map_uuid);
  }

  /** The same without its features. */
  getBare(id: string): string {
    return readBareDesign(this.#ports.maps.store, id);
  }

  /** JSON of what a large map looks like from far away. Refuses with not_found. */
  async sketch(id: string): Promise<Buffer> {
    const map = mapToRead(this.#ports.maps.store, id);
    return this.#ports.maps.read('readSketch', map.feature_count, map.map_uuid);
  }

  /** Makes a map or changes the given fields of one. Refusals as of `saveDesign`. */
  async save(body: DesignSave, actor: Actor): Promise<{ isNew: boolean; map_uuid: string }> {
    const { map_uuid, isNew, before, after } = await this.#ports.maps.write(
      'saveDesign',
      { ...small, map_uuid: body.map_uuid },
      body,
      this.#author(actor),
    );
    if (isNew || !isDeepStrictEqual(before, after))
      this.#record('design.save', actor, { target: map_uuid, before, after });
    return { isNew, map_uuid };
  }

  /** Puts a map into the trash with its facilities and returns their ids. Refuses with not_found. */
  async remove(
    map_uuid: string,
    actor: Actor,
  ): Promise<{ map_uuid: string; deleted: true; deleted_facilities: string[] }> {
    const deleted_facilities = await this.#ports.maps.write('trashMap', small, map_uuid, this.#author(actor).at);
    this.#record('design.delete', actor, { target: map_uuid, after: { deleted_facilities } });
    return { map_uuid, deleted: true, deleted_facilities };
  }

  /** Restores a map from the trash, complete, and returns its JSON. Refuses with not_found or conflict. */
  async restore(map_uuid: string, actor: Actor): Promise<Buffer> {
    const restored_facilities = await this.#ports.maps.write('untrashMap', small, map_uuid);
    this.#record('design.restore', actor, { target: map_uuid, after: { restored_facilities } });
    return this.get(map_uuid);
  }

  /** A page of a map's saves, newest first. Refuses with not_found, a foreign cursor with invalid_field. */
  history(
    id: string,
    page: { limit?: number | undefined; cursor?: string | undefined },
  ): { history: MapRevision[]; next_cursor: string | null } {
    const { store } = this.#ports.maps;
    const { map_uuid } = mapToRead(store, id);
    const limit = page.limit ?? historyLimit;
    const before = cursorOf(page.cursor, Number.MAX_SAFE_INTEGER);
    const found = store.history.list(map_uuid, { before, limit: limit + 1 });
    const history = found.slice(0, limit);
    const last = history.at(-1);
    return { history, next_cursor: found.length > limit && last !== undefined ? String(last.revision) : null };
  }

  /** JSON of a map after an earlier save. Refuses with not_found. */
  async revision(id: string, revision: number): Promise<Buffer> {
    const { maps } = this.#ports;
    const map = mapToRead(maps.store, id);
    // How many features it had then is known only once it is read.
    return maps.read('readRevision', Infinity, { mapId: map.map_uuid, revision });
  }

  /** Restores the state after an earlier save and returns the map's JSON. Refusals as of the task `restoreRevision`. */
  async restoreRevision(id: string, revision: number, actor: Actor): Promise<Buffer> {
    const { maps } = this.#ports;
    const map = mapToRead(maps.store, id);
    await maps.write('restoreRevision', unknownSize, { mapId: map.map_uuid, revision }, this.#author(actor));
    if (maps.store.designs.get(map.map_uuid)?.revision !== map.revision)
      this.#record('design.restore_revision', actor, { target: map.map_uuid, after: { revision } });
    return this.get(map.map_uuid);
  }

  #author({ user_id, username }: Actor): Author {
    return { user_id, username, at: new Date(this.#ports.clock()).toISOString() };
  }

  #record(kind: string, actor: Actor, what: { target: string; before?: unknown; after?: unknown }): void {
    this.#ports.audit.record({ kind, actor, ...what });
  }
}

function listed(map: DesignRecord, facility_count: number): DesignListed {
  const { layers: _, is_purged: __, deleted_at, ...rest } = map;
  return { ...rest, facility_count, ...(deleted_at !== null && { deleted_at }) };
}
