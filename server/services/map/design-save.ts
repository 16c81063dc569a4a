import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { DesignFields, Layers } from '../../contract/design-fields.ts';
import type { DesignSave } from '../../contract/design.ts';
import { Refusal, refuseChanged, refuseField, type FieldError } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import { facilityLinks } from '../../db/repositories/facility-links.ts';
import type { DesignRecord } from '../../db/repositories/design.ts';
import type { Author } from './change.ts';
import { changesSince, mapToChange, mapToRead, revisionConflict } from './conflict.ts';
import { readOverlays } from './read.ts';
import { fieldsOf, writeRevision } from './revision.ts';
import type { MapStore } from './store.ts';

export interface SavedDesign {
  map_uuid: string;
  isNew: boolean;
  /** The map's own fields before, null for a new map. */
  before: DesignFields | null;
  after: DesignFields;
}

const needed = ['name', 'lat', 'lng', 'zoom'] as const;
const readOnly = ['features', 'created_at', 'updated_at'] as const;

/** Makes an empty map that waits for its first save, with the caller's id. */
export function initDesign(store: MapStore, id: string, fields: DesignFields, at: string): void {
  store.designs.insert(id, fields, { at, isSaved: false });
}

/**
 * Makes a map, or changes the given fields of one. Refuses with in_trash, revision_conflict, read_only_field,
 * invalid_field.
 */
export function saveDesign(store: MapStore, body: DesignSave, author: Author): SavedDesign {
  return store.db
    .transaction(() => {
      const id = body.map_uuid ?? randomUUID();
      return store.designs.get(id) === undefined
        ? make(store, id, { body, author })
        : change(store, id, { body, author });
    })
    .immediate();
}

/** Puts a map and its facilities into the trash; returns the facilities' ids. Refuses with not_found. */
export function trashMap(store: MapStore, id: string, at: string): string[] {
  return store.db
    .transaction(() => {
      const { map_uuid } = mapToRead(store, id);
      // Facilities trashed before the map must not come back with it, even if the clock has not moved in between.
      const when = after(at, facilityLinks.lastTrashedOfMap(store.db, map_uuid));
      store.designs.setDeleted(map_uuid, when);
      return facilityLinks.trashFacilitiesOfMap(store.db, map_uuid, when);
    })
    .immediate();
}

function after(at: string, last: string | null): string {
  return last === null || last < at ? at : new Date(Date.parse(last) + 1).toISOString();
}

/**
 * Restores a map from the trash with the facilities that went with it; returns their ids. Refuses with not_found,
 * conflict.
 */
export function untrashMap(store: MapStore, id: string): string[] {
  return store.db
    .transaction(() => {
      const map = store.designs.get(id);
      if (map === undefined || map.is_purged === 1) throw new Refusal('not_found', `there is no map ${id}`);
      if (map.deleted_at === null) throw new Refusal('conflict', why('map_not_in_trash', { id }));
      store.designs.setDeleted(id, null);
      return facilityLinks.restoreFacilitiesOfMap(store.db, id, map.deleted_at);
    })
    .immediate();
}

interface Request {
  body: DesignSave;
  author: Author;
}

function make(store: MapStore, id: string, { body, author }: Request): SavedDesign {
  const { name, lat, lng, zoom, layers = {} } = body;
  refuseChanged(body, {}, readOnly);
  if (name === undefined || lat === undefined || lng === undefined || zoom === undefined) throw missingFields(body);
  const after = { name, lat, lng, zoom, layers: mergedLayers({}, layers) };
  store.designs.insert(id, after, { at: author.at, isSaved: true });
  return { map_uuid: id, isNew: true, before: null, after };
}

function missingFields(body: DesignSave): Refusal {
  const missing = needed.filter((field) => body[field] === undefined);
  const errors = missing.map((path): FieldError => ({ path, code: 'required', message: 'is needed for a new map' }));
  return new Refusal('invalid_field', `a new map needs ${missing.join(', ')}`, { errors });
}

function change(store: MapStore, id: string, { body, author }: Request): SavedDesign {
  const map = mapToChange(store, id);
  refuseStale(store, map, body);
  refuseReadOnly(store, map, body);
  const before = fieldsOf(map);
  const after = merged(before, body);
  const design = isDeepStrictEqual(before, after) ? {} : { design: after };
  const change = { added: [], modified: [], deleted: [], ...design };
  writeRevision(store, { map, change, kind: 'design', author });
  return { map_uuid: id, isNew: false, before, after };
}

function merged(before: DesignFields, { name, lat, lng, zoom, layers }: DesignSave): DesignFields {
  return {
    name: name ?? before.name,
    lat: lat ?? before.lat,
    lng: lng ?? before.lng,
    zoom: zoom ?? before.zoom,
    layers: mergedLayers(before.layers, layers),
  };
}

/** A layer that is not named stays; null clears it. */
function mergedLayers(before: Layers, sent: DesignSave['layers'] = {}): Layers {
  const { base, overlays } = { ...before, ...sent };
  return { ...(base !== undefined && base !== null && { base }), ...(overlays && { overlays }) };
}

/** A change of name, view or layers does not conflict with what others have drawn meanwhile. */
function refuseStale(store: MapStore, map: DesignRecord, { revision }: DesignSave): void {
  if (revision === undefined || revision === map.revision) return;
  const changed = store.history.designChangedSince(map.map_uuid, revision);
  if (changed !== undefined || revision > map.revision) {
    throw revisionConflict(map, changed === undefined ? [] : [changed], 'the map was changed meanwhile');
  }
}

/** Read-only fields come back with a map that was read whole: unchanged, or stale if others have drawn meanwhile. */
function refuseReadOnly(store: MapStore, map: DesignRecord, body: DesignSave): void {
  const changed = changedReadOnly(store, map, body);
  if (changed === undefined) return;
  if (body.revision !== undefined && body.revision !== map.revision) {
    throw revisionConflict(
      map,
      changesSince(store, map, { revision: body.revision }),
      'the map was drawn on meanwhile',
    );
  }
  throw refuseField('read_only_field', changed, why('read_only'));
}

function changedReadOnly(store: MapStore, map: DesignRecord, body: DesignSave): string | undefined {
  const { features, created_at, updated_at } = body;
  if (created_at !== undefined && created_at !== map.created_at) return 'created_at';
  if (updated_at !== undefined && updated_at !== map.updated_at) return 'updated_at';
  if (features === undefined) return undefined;
  const stored: unknown = JSON.parse(readOverlays(store, { geo_id: map.map_uuid }).toString());
  return isDeepStrictEqual(features, stored) ? undefined : 'features';
}
