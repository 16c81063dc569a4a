import type { DesignFields } from '../../contract/design-fields.ts';
import { Refusal, refusePlainly } from '../../contract/errors.ts';
import { mostChanges, type ChangeSince, type FeatureType } from '../../contract/overlay.ts';
import type { DesignRecord } from '../../db/repositories/design.ts';
import type { Box, FeatureFilter, FeaturePlace } from '../../db/repositories/overlay.ts';
import { mapToRead } from './conflict.ts';
import { fieldsOf } from './revision.ts';
import type { MapStore } from './store.ts';

export interface OverlayQuery {
  geo_id: string;
  type?: FeatureType | undefined;
  /** west,south,east,north in degrees. */
  bbox?: string | undefined;
}

export interface ChangesQuery {
  geo_id: string;
  since: number;
  design?: boolean | undefined;
}

export interface OverlayListQuery extends Omit<OverlayQuery, 'geo_id'> {
  unique_id?: string | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** The page size when the request names no limit. */
export const listLimit = 1000;

/** JSON of a map's FeatureCollection. The stored texts are sent unparsed. */
export function readOverlays(store: MapStore, query: OverlayQuery): Buffer {
  return snapshot(store, () => {
    const map = mapToRead(store, query.geo_id);
    return bytesOf(collectionOf(map, store.overlays.geoJsonOfMap(map.map_uuid, filterOf(query))));
  });
}

/**
 * JSON of what changed on a map since a revision: the present features, the ids of those that are gone, and the map's
 * own fields for a call that asks for them. Any other must read the map whole where these changed.
 */
export function readChanges(store: MapStore, { geo_id, since, design }: ChangesQuery): Buffer {
  return snapshot(store, () => {
    const map = mapToRead(store, geo_id);
    const { map_uuid, revision } = map;
    const isNear = since <= revision && revision - since <= mostChanges;
    const isDesigned = isNear && store.history.designChangedSince(map_uuid, since) !== undefined;
    const isTellable = isNear && (design === true || !isDesigned);
    const changed = isTellable ? featuresSince(store, map_uuid, since) : null;
    const fields = isDesigned && changed !== null ? { design: fieldsOf(map) } : {};
    const head = JSON.stringify({ map_uuid, revision, read_whole: changed === null, ...fields });
    const gone = (changed ?? []).filter(({ kind }) => kind === 'deleted').map(({ unique_id }) => unique_id);
    const living = (changed ?? []).filter(({ kind }) => kind !== 'deleted').map(({ unique_id }) => unique_id);
    const features = store.overlays.geoJsonOfFeatures(map_uuid, living);
    return bytesOf([`${head.slice(0, -1)},"features":[`, features, `],"deleted":${JSON.stringify(gone)}}`]);
  });
}

/** The last change of each feature since; null where there is too much to look through. */
function featuresSince({ history }: MapStore, mapId: string, revision: number): ChangeSince[] | null {
  if (history.countSince(mapId, revision) > mostChanges) return null;
  return [...history.featuresChangedSince(mapId, revision)];
}

/** JSON of a map with its features. */
export function readDesign(store: MapStore, id: string): Buffer {
  return snapshot(store, () => {
    const map = mapToRead(store, id);
    return withFeatures(map, store.overlays.geoJsonOfMap(map.map_uuid, {}));
  });
}

/** JSON of a map without its features. */
export function readBareDesign(store: MapStore, id: string): string {
  return bareDesign(mapToRead(store, id));
}

/** JSON of a map after a revision; 0 is before its first save. Refuses with not_found. */
export function readRevision(store: MapStore, { mapId, revision }: { mapId: string; revision: number }): Buffer {
  return snapshot(store, () => {
    const map = mapToRead(store, mapId);
    if (revision > map.revision) throw new Refusal('not_found', `map ${mapId} has no revision ${revision}`);
    const fields = store.history.designAt(mapId, revision);
    const [save] = store.history.list(mapId, { before: revision + 1, limit: 1 });
    const then = {
      ...map,
      ...(fields !== undefined && (JSON.parse(fields) as DesignFields)), // written by `record` alone
      revision,
      updated_at: save?.at ?? map.created_at,
    };
    return withFeatures(then, featuresAt(store, mapId, revision));
  });
}

/** JSON of a page of the features of all living maps. */
export function readAllOverlays(store: MapStore, query: OverlayListQuery): Buffer {
  const limit = query.limit ?? listLimit;
  const page = store.overlays.geoJsonOfAll(filterOf(query), { after: placeOf(query.cursor), limit: limit + 1 });
  const rows = page.slice(0, limit);
  const last = page.length > limit ? rows.at(-1) : undefined;
  const next = last === undefined ? null : `${last.map}-${last.ordinal}-${last.unique_id}`;
  const features = rows.map((row) => row.text).join(',');
  return Buffer.from(`{"features":[${features}],"next_cursor":${JSON.stringify(next)}}`);
}

/** The place that a cursor names; before all others without one. Refuses a foreign cursor with invalid_field. */
function placeOf(cursor: string | undefined): FeaturePlace {
  if (cursor === undefined) return { map: 0, ordinal: 0, unique_id: '' };
  const [, map, ordinal, unique_id] = /^(\d{1,15})-(\d{1,15})-([\da-f-]{36})$/.exec(cursor) ?? [];
  if (unique_id === undefined) throw foreignCursor();
  return { map: Number(map), ordinal: Number(ordinal), unique_id };
}

/** The place in a list that one of our cursors names. Refuses any other with invalid_field. */
export function cursorOf(cursor: string | undefined, start: number): number {
  if (cursor === undefined) return start;
  if (!/^\d{1,15}$/.test(cursor)) throw foreignCursor();
  return Number(cursor);
}

function foreignCursor(): Refusal {
  return refusePlainly('invalid_field', 'cursor', 'is not one that was given out');
}

function withFeatures(map: DesignRecord, features: Buffer): Buffer {
  return bytesOf([`${bareDesign(map).slice(0, -1)},"features":`, ...collectionOf(map, features), '}']);
}

function bareDesign(map: DesignRecord): string {
  const { map_uuid, revision, created_at, updated_at } = map;
  return JSON.stringify({ map_uuid, ...fieldsOf(map), revision, created_at, updated_at });
}

function collectionOf({ map_uuid, revision }: DesignRecord, features: Buffer): (string | Buffer)[] {
  const head = `{"type":"FeatureCollection","map_uuid":"${map_uuid}","revision":${revision},"features":[`;
  return [head, features, ']}'];
}

function bytesOf(parts: readonly (string | Buffer)[]): Buffer {
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
}

/**
 * The features at a revision as GeoJSON with commas between: the present ones, with those that later saves replaced put
 * back.
 */
function featuresAt(store: MapStore, mapId: string, revision: number): Buffer {
  const earlier = store.history.featuresAt(mapId, revision);
  const isReplaced = new Set(earlier.map(({ unique_id }) => unique_id));
  const kept = store.overlays.ofMap(mapId).filter(({ unique_id }) => !isReplaced.has(unique_id));
  const texts = [...kept, ...earlier].flatMap(({ geometry, properties }) =>
    geometry === null || properties === null
      ? []
      : [`{"type":"Feature","geometry":${geometry},"properties":${properties}}`],
  );
  return Buffer.from(texts.join(','));
}

function filterOf({ type, bbox, unique_id }: Omit<OverlayListQuery, 'limit' | 'cursor'>): FeatureFilter {
  return { type, bbox: bbox === undefined ? undefined : boxOf(bbox), unique_id };
}

function boxOf(text: string): Box {
  const [west = NaN, south = NaN, east = NaN, north = NaN] = text.split(',').map(Number);
  const isInside = Math.abs(west) <= 180 && Math.abs(east) <= 180 && Math.abs(south) <= 90 && Math.abs(north) <= 90;
  if (!isInside || south > north) {
    throw refusePlainly('invalid_field', 'bbox', 'must be west,south,east,north in degrees, south not above north');
  }
  return { west, south, east, north };
}

/** The other connection may save between two reads: one transaction sees one state. */
export function snapshot<T>({ db }: MapStore, read: () => T): T {
  return db.transaction(read).deferred();
}
