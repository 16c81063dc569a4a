import { Refusal } from '../../contract/errors.ts';
import { mostChanges, type ChangeSince } from '../../contract/overlay.ts';
import type { DesignRecord } from '../../db/repositories/design.ts';
import type { MapStore } from './store.ts';

/** Enough to show what happened; a client that needs more reads the map again. */
const changeLimit = 1_000;

/**
 * A save based on an old revision: the answer carries the present revision and what has changed, oldest first, at most
 * 1000.
 */
export function revisionConflict(map: DesignRecord, changed: ChangeSince[], detail: string): Refusal {
  return new Refusal('revision_conflict', detail, { members: { revision: map.revision, changed } });
}

/**
 * What changed last on a map after a revision, or only the last changes to some features, oldest first: at most 1000,
 * and only of the latest `mostChanges`, for no map can be saved meanwhile.
 */
export function changesSince(
  store: MapStore,
  map: DesignRecord,
  { revision, only }: { revision: number; only?: ReadonlySet<string> },
): ChangeSince[] {
  const last = new Map<string, ChangeSince>();
  let looked = 0;
  for (const change of store.history.changesBackTo(map.map_uuid, revision)) {
    if (only?.has(change.unique_id) !== false && !last.has(change.unique_id)) last.set(change.unique_id, change);
    looked += 1;
    if (looked === mostChanges || last.size === Math.min(changeLimit, only?.size ?? changeLimit)) break;
  }
  const changes = [...last.values()].reverse();
  const design = only === undefined ? store.history.designChangedSince(map.map_uuid, revision) : undefined;
  if (design === undefined) return changes;
  return [...changes, design].sort((a, b) => a.revision - b.revision).slice(-changeLimit);
}

/** A large save of the map is being written: other changes of it wait for their turn in the map worker. */
export class MapTaken extends Error {
  readonly code = 'map_taken';
}

/** The living map, if no large save of it is under way. Refuses like `livingMap`; throws MapTaken. */
export function mapToChange(store: MapStore, id: string): DesignRecord {
  const map = livingMap(store, id);
  if (store.history.pendingOf(id) !== undefined) throw new MapTaken(`map ${id} is being saved`);
  return map;
}

/** Refuses with not_found, or in_trash when it can be restored first. */
export function livingMap(store: MapStore, id: string): DesignRecord {
  const map = existingMap(store, id);
  if (map.deleted_at !== null) throw new Refusal('in_trash', `map ${id} is in the trash: restore it first`);
  return map;
}

/** The map, living or in the trash. Refuses with not_found. */
export function existingMap(store: MapStore, id: string): DesignRecord {
  const map = store.designs.get(id);
  if (map === undefined) throw noSuchMap(id);
  return map;
}

/** The living map. Refuses with not_found. */
export function mapToRead(store: MapStore, id: string): DesignRecord {
  const map = store.designs.get(id);
  if (map === undefined || map.deleted_at !== null) throw noSuchMap(id);
  return map;
}

function noSuchMap(id: string): Refusal {
  return new Refusal('not_found', `there is no map ${id}`);
}
