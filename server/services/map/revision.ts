import type { DesignFields } from '../../contract/design-fields.ts';
import type { DesignRecord } from '../../db/repositories/design.ts';
import type { Change } from '../../db/repositories/overlay.ts';
import { changesOf, sizeOf, type FeatureChange, type Prepared } from './change.ts';
import { refuseDoublePlacement, refuseOtherMaps, refuseTooMany, refuseUsedShapes } from './revision-checks.ts';
import type { MapStore } from './store.ts';

/**
 * Writes a change that is not large as the next revision of its map; the caller holds the write transaction, and a
 * refusal must end it. Returns the revision after it.
 */
export function writeRevision(store: MapStore, prepared: Omit<Prepared<unknown>, 'done'>): number {
  const { map, change, author } = prepared;
  store.designs.markSaved(map.map_uuid);
  if (sizeOf(change) === 0 && change.design === undefined) return map.revision;
  refuseTooMany(map, change);
  refuseUsedShapes(store, map, change);
  const historyId = record(store, prepared);
  const revision = map.revision + 1;
  const by = { map_uuid: map.map_uuid, changed_by: author.user_id, changed_revision: revision };
  for (const one of changesOf(change)) writeOne(store, one, { historyId, by });
  conclude(store, prepared);
  return revision;
}

/** The save under which a feature changes. */
export interface UnderSave {
  historyId: number;
  by: Change;
}

function writeOne(store: MapStore, one: FeatureChange, { historyId, by }: UnderSave): void {
  recordOne(store, one, historyId);
  if (one.kind === 'deleted') return store.overlays.remove(one.before.unique_id);
  if (one.kind === 'modified') return store.overlays.update(one.after, by);
  refuseOtherMaps(store, by.map_uuid, one.after);
  store.overlays.insert(one.after, by);
}

/** Keeps what a change replaces. */
export function recordOne({ history }: MapStore, one: FeatureChange, historyId: number): void {
  if (one.kind === 'added') {
    const { unique_id } = one.after;
    return history.recordReplaced(historyId, { kind: 'added', unique_id, geometry: null, properties: null });
  }
  const { unique_id, geometry, properties } = one.before;
  history.recordReplaced(historyId, { kind: one.kind, unique_id, geometry, properties });
}

/** Starts the next revision in the history; returns the id under which replaced features are kept. */
export function record(store: MapStore, { map, change, kind, author }: Omit<Prepared<unknown>, 'done'>): number {
  const { added, modified, deleted, design } = change;
  return store.history.record({
    map_uuid: map.map_uuid,
    revision: map.revision + 1,
    kind,
    ...author,
    added: added.length,
    modified: modified.length,
    deleted: deleted.length,
    design_before: design === undefined ? null : JSON.stringify(fieldsOf(map)),
  });
}

/** Makes the written features the present state of the map. */
export function conclude(store: MapStore, { map, change, author }: Omit<Prepared<unknown>, 'done'>): void {
  const { added, deleted, design } = change;
  if (design !== undefined) store.designs.update(map.map_uuid, design);
  const more = added.length - deleted.length;
  store.designs.advance(map.map_uuid, { revision: map.revision + 1, at: author.at, more });
  refuseDoublePlacement(store, map, change);
}

/** The fields of a map that a person sets, without the rest of its record. */
export function fieldsOf({ name, lat, lng, zoom, layers }: DesignFields): DesignFields {
  return { name, lat, lng, zoom, layers };
}

/** The map has changed since it was read, so the change must be worked out again. */
export class MapMoved extends Error {
  readonly code = 'map_moved';
}

/** Throws MapMoved if the map is not as it was read. */
export function refuseMoved({ designs }: MapStore, { map_uuid, revision, deleted_at }: DesignRecord): void {
  const now = designs.get(map_uuid);
  if (now?.revision !== revision || now.deleted_at !== deleted_at) throw new MapMoved();
}
