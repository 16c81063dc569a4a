import type { Migration } from '../../migration.ts';

/** Which parcels may be at a place: an R-tree of their boxes, maintained by the writer and by a trigger on deletion. */
export const parcelBoxes: Migration = {
  version: 3,
  name: 'parcel-boxes',
  sql: `
    CREATE VIRTUAL TABLE parcel_boxes USING rtree (ordinal, west, east, south, north);
    INSERT INTO parcel_boxes
      SELECT p.ordinal, min(iif(t.key = 0, t.atom, NULL)), max(iif(t.key = 0, t.atom, NULL)),
        min(iif(t.key = 1, t.atom, NULL)), max(iif(t.key = 1, t.atom, NULL))
      FROM parcels p, json_tree(p.geometry, '$.coordinates') t WHERE t.type IN ('real', 'integer') GROUP BY p.ordinal;
    CREATE TRIGGER parcel_unboxed AFTER DELETE ON parcels BEGIN
      DELETE FROM parcel_boxes WHERE ordinal = old.ordinal;
    END;
  `,
};
