import { Refusal } from '../../contract/errors.ts';
import { facilityLinks } from '../../db/repositories/facility-links.ts';
import type { DesignFields, DesignRecord } from '../../db/repositories/design.ts';
import type { Save } from '../../db/repositories/map-history.ts';
import type { DrawnFeature, FeatureRecord } from '../../db/repositories/overlay.ts';
import type { MapStore } from './store.ts';

/** Who saves, and when (ISO 8601 UTC). */
export interface Author {
  user_id: string | null;
  username: string | null;
  at: string;
}

type Drawn = DrawnFeature & { isAreal: boolean };

/** What a save does to a map, against what is stored. */
export interface MapChange<Feature extends Drawn = Drawn> {
  added: Feature[];
  modified: { before: FeatureRecord; after: Feature }[];
  deleted: FeatureRecord[];
  /** New values of the map's own fields, where they differ. */
  design?: DesignFields;
}

export interface Revising {
  kind: Save['kind'];
  author: Author;
}

const featureLimit = 200_000;

/**
 * Writes a change as the next revision of a map and keeps what it replaced; a change of nothing writes nothing.
 * Gives the revision after it. The caller holds the write transaction, and a refusal must end it:
 * shape_in_use, feature_of_other_map, already_placed, payload_too_large.
 */
export function writeRevision(store: MapStore, map: DesignRecord, change: MapChange, how: Revising): number {
  const { added, modified, deleted, design } = change;
  store.designs.markSaved(map.map_uuid);
  if (added.length + modified.length + deleted.length === 0 && design === undefined) return map.revision;
  refuseTooMany(map, change);
  refuseUsedShapes(store, map, change);
  refuseOtherMaps(store, map, added);
  const revision = map.revision + 1;
  record(store, map, { change, how, revision });
  apply(store, change, { map_uuid: map.map_uuid, changed_by: how.author.user_id, changed_revision: revision });
  if (design !== undefined) store.designs.update(map.map_uuid, design);
  store.designs.advance(map.map_uuid, revision, how.author.at);
  refuseDoublePlacement(store, map, change);
  return revision;
}

/** What a person sets on a map, without the rest of its record. */
export function fieldsOf({ name, lat, lng, zoom, layers }: DesignFields): DesignFields {
  return { name, lat, lng, zoom, layers };
}

function record(
  store: MapStore,
  map: DesignRecord,
  { change, how, revision }: { change: MapChange; how: Revising; revision: number },
): void {
  const { added, modified, deleted, design } = change;
  const historyId = store.history.record({
    map_uuid: map.map_uuid,
    revision,
    kind: how.kind,
    ...how.author,
    added: added.length,
    modified: modified.length,
    deleted: deleted.length,
    design_before: design === undefined ? null : JSON.stringify(fieldsOf(map)),
  });
  for (const { unique_id } of added) {
    store.history.recordReplaced(historyId, { kind: 'added', unique_id, geometry: null, properties: null });
  }
  for (const { before } of modified) store.history.recordReplaced(historyId, replaced('modified', before));
  for (const before of deleted) store.history.recordReplaced(historyId, replaced('deleted', before));
}

function replaced<Kind extends 'modified' | 'deleted'>(kind: Kind, { unique_id, geometry, properties }: FeatureRecord) {
  return { kind, unique_id, geometry, properties };
}

function apply(
  { overlays }: MapStore,
  { added, modified, deleted }: MapChange,
  by: { map_uuid: string; changed_by: string | null; changed_revision: number },
): void {
  for (const { unique_id } of deleted) overlays.remove(unique_id);
  for (const { after } of modified) overlays.update(after, by);
  for (const feature of added) overlays.insert(feature, by);
}

function refuseTooMany(map: DesignRecord, { added, deleted }: MapChange): void {
  const count = map.feature_count + added.length - deleted.length;
  if (count > featureLimit) {
    throw new Refusal('payload_too_large', `a map holds at most ${featureLimit} features, not ${count}`);
  }
}

/** A facility's shape must stay, and must keep covering an area. */
function refuseUsedShapes({ db }: MapStore, map: DesignRecord, { modified, deleted }: MapChange): void {
  const lost = new Set([
    ...deleted.map((feature) => feature.unique_id),
    ...modified.filter(({ after }) => !after.isAreal).map(({ after }) => after.unique_id),
  ]);
  if (lost.size === 0) return;
  const facilities = facilityLinks.facilitiesOfMap(db, map.map_uuid).filter(({ shape_uuid }) => lost.has(shape_uuid));
  if (facilities.length > 0) {
    throw new Refusal('shape_in_use', `${facilities.length} facilities stand on shapes that would be lost`, {
      members: { facilities },
    });
  }
}

function refuseOtherMaps({ overlays }: MapStore, map: DesignRecord, added: readonly Drawn[]): void {
  for (const { unique_id } of added) {
    const known = overlays.get(unique_id);
    if (known !== undefined && known.map_uuid !== map.map_uuid) throw ofOtherMap(known);
  }
}

export function ofOtherMap({ unique_id, map_uuid }: FeatureRecord): Refusal {
  return new Refusal('feature_of_other_map', `feature ${unique_id} belongs to map ${map_uuid}`, {
    members: { unique_id, map_uuid },
  });
}

function refuseDoublePlacement({ overlays }: MapStore, map: DesignRecord, { added, modified }: MapChange): void {
  const places = (feature: Drawn): boolean => feature.device_id !== null;
  if (!added.some(places) && !modified.some(({ after }) => places(after))) return;
  const double = overlays.doublePlacement(map.map_uuid);
  if (double === undefined) return;
  const { device_id, channel, one, other } = double;
  throw new Refusal('already_placed', `device ${device_id} would stand on the map twice`, {
    members: { device_id, channel, features: [one, other] },
  });
}
