import type { DesignFields } from '../../contract/design-fields.ts';
import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '../../contract/errors.ts';
import { featureInput } from '../../contract/overlay.ts';
import type { DesignRecord } from '../../db/repositories/design.ts';
import type { EarlierFeature } from '../../db/repositories/map-history.ts';
import type { Author, MapChange } from './change.ts';
import { takeIn, type SentFeature } from './feature-intake.ts';
import { mapToChange } from './conflict.ts';
import { planDelta } from './plan.ts';
import { ofOtherMap } from './revision-checks.ts';
import { revise } from './revise.ts';
import { fieldsOf } from './revision.ts';
import type { MapStore } from './store.ts';

/**
 * Returns a map to its state after an earlier revision, as a new revision; 0 is the state before its first save.
 * Refuses with not_found, in_trash, shape_in_use, feature_of_other_map.
 */
export function restoreRevision(
  store: MapStore,
  { mapId, revision }: { mapId: string; revision: number },
  author: Author,
): void {
  revise(store, () => {
    const map = mapToChange(store, mapId);
    if (revision > map.revision) throw new Refusal('not_found', `map ${mapId} has no revision ${revision}`);
    return { map, change: changeBackTo(store, map, revision), kind: 'restore', author, done: () => () => undefined };
  });
}

function changeBackTo(store: MapStore, map: DesignRecord, revision: number): MapChange {
  const earlier = store.history.featuresAt(map.map_uuid, revision);
  const stored = earlier.flatMap(({ unique_id }) => store.overlays.get(unique_id) ?? []);
  const elsewhere = stored.find((feature) => feature.map_uuid !== map.map_uuid);
  const wanted = wantedFeatures(map, earlier);
  const isWanted = new Set(wanted.map((feature) => feature.unique_id));
  if (elsewhere !== undefined && isWanted.has(elsewhere.unique_id)) throw ofOtherMap(elsewhere);
  const known = new Map(
    stored.filter(({ map_uuid }) => map_uuid === map.map_uuid).map((feature) => [feature.unique_id, feature]),
  );
  const change = planDelta(
    {
      added: wanted.filter((feature) => !known.has(feature.unique_id)),
      modified: wanted.filter((feature) => known.has(feature.unique_id)),
      deleted: [...known.keys()].filter((id) => !isWanted.has(id)),
    },
    known,
  );
  const design = designBackAt(store, map, revision);
  return design === undefined ? change : { ...change, design };
}

/** The map's own fields at the revision, if they differ from now. */
function designBackAt(store: MapStore, map: DesignRecord, revision: number): DesignFields | undefined {
  const text = store.history.designAt(map.map_uuid, revision);
  if (text === undefined) return undefined;
  const design = JSON.parse(text) as DesignFields; // written by `record` alone
  return isDeepStrictEqual(design, fieldsOf(map)) ? undefined : design;
}

/** These features passed the same check when they were drawn. */
function wantedFeatures(map: DesignRecord, earlier: readonly EarlierFeature[]): SentFeature[] {
  const features = earlier.flatMap(({ geometry, properties }) => {
    if (geometry === null || properties === null) return [];
    return featureInput.parse({
      type: 'Feature',
      geometry: JSON.parse(geometry) as unknown,
      properties: JSON.parse(properties) as unknown,
    });
  });
  return takeIn(map.map_uuid, { field: 'features', features }).features;
}
