import type { DesignFields } from '../../contract/design-fields.ts';
import type { DesignRecord } from '../../db/repositories/design.ts';
import type { Save } from '../../db/repositories/map-history.ts';
import type { DrawnFeature, FeatureRecord } from '../../db/repositories/overlay.ts';

/** Who saves, and when (ISO 8601 UTC). */
export interface Author {
  user_id: string | null;
  username: string | null;
  at: string;
}

export type Drawn = DrawnFeature & { isAreal: boolean };

/** What a save changes in the stored map. */
export interface MapChange<Feature extends Drawn = Drawn> {
  added: Feature[];
  modified: { before: FeatureRecord; after: Feature }[];
  deleted: FeatureRecord[];
  /** New values of the map's own fields, if they differ. */
  design?: DesignFields;
}

/** A change worked out from the present map. */
export interface Prepared<Done> {
  map: DesignRecord;
  change: MapChange;
  kind: Save['kind'];
  author: Author;
  /**
   * Called with the revision after the change; the function it returns is called in the last transaction and supplies
   * the caller's result.
   */
  done: (revision: number) => () => Done;
  /** Throws if the save was cancelled. */
  goesOn?: () => void;
}

/** One feature of a change. */
export type FeatureChange =
  | { kind: 'added'; after: Drawn }
  | { kind: 'modified'; before: FeatureRecord; after: Drawn }
  | { kind: 'deleted'; before: FeatureRecord };

/** Deletions come first. */
export function* changesOf({ added, modified, deleted }: MapChange): Generator<FeatureChange> {
  for (const before of deleted) yield { kind: 'deleted', before };
  for (const { before, after } of modified) yield { kind: 'modified', before, after };
  for (const after of added) yield { kind: 'added', after };
}

export function sizeOf({ added, modified, deleted }: MapChange): number {
  return added.length + modified.length + deleted.length;
}
