import type { DesignFields, DesignRecord } from '../../db/repositories/design.ts';
import type { Save } from '../../db/repositories/map-history.ts';
import type { DrawnFeature, FeatureRecord } from '../../db/repositories/overlay.ts';

/** Who saves, and when (ISO 8601 UTC). */
export interface Author {
  user_id: string | null;
  username: string | null;
  at: string;
}

export type Drawn = DrawnFeature & { isAreal: boolean };

/** What a save does to a map, against what is stored. */
export interface MapChange<Feature extends Drawn = Drawn> {
  added: Feature[];
  modified: { before: FeatureRecord; after: Feature }[];
  deleted: FeatureRecord[];
  /** New values of the map's own fields, where they differ. */
  design?: DesignFields;
}

/** A change that was worked out from the map as it is. */
export interface Prepared<Done> {
  map: DesignRecord;
  change: MapChange;
  kind: Save['kind'];
  author: Author;
  /** Called with the revision after it; what that returns is called in the last transaction and returns what the caller is told. */
  done: (revision: number) => () => Done;
  /** Throws where the save was called off. */
  goesOn?: () => void;
}

/** One feature of a change. */
export type FeatureChange =
  | { kind: 'added'; after: Drawn }
  | { kind: 'modified'; before: FeatureRecord; after: Drawn }
  | { kind: 'deleted'; before: FeatureRecord };

/** What goes comes first. */
export function* changesOf({ added, modified, deleted }: MapChange): Generator<FeatureChange> {
  for (const before of deleted) yield { kind: 'deleted', before };
  for (const { before, after } of modified) yield { kind: 'modified', before, after };
  for (const after of added) yield { kind: 'added', after };
}

/** How many features change. */
export function sizeOf({ added, modified, deleted }: MapChange): number {
  return added.length + modified.length + deleted.length;
}
