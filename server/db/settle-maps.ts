import type { Database } from 'better-sqlite3';

/**
 * Makes consistent maps from rows of two files, or of half a file: rows above their map's revision would otherwise
 * count as an interrupted save, and be deleted. Every feature becomes a present one, in its newest state; what was done
 * to a map after its revision is dropped. The caller has a transaction open.
 */
export function settleMaps(db: Database): void {
  const columns = db.prepare<[], string>("SELECT name FROM pragma_table_info('features')").pluck().all();
  if (!columns.includes('replaced_revision')) return; // older: its migration does the same
  db.exec(`
    DELETE FROM map_history WHERE id IN (
      SELECT map_history.id FROM map_history JOIN designs USING (map_uuid) WHERE map_history.revision > designs.revision);
    DELETE FROM features WHERE replaced_revision IS NOT NULL AND (
      replaced_revision <= (SELECT revision FROM designs WHERE designs.map_uuid = features.map_uuid)
      OR EXISTS (SELECT 1 FROM features AS newer WHERE newer.unique_id = features.unique_id
        AND (newer.replaced_revision IS NULL OR newer.id > features.id)));
    UPDATE features SET replaced_revision = NULL WHERE replaced_revision IS NOT NULL;
    UPDATE features SET changed_revision = designs.revision FROM designs
      WHERE designs.map_uuid = features.map_uuid AND changed_revision > designs.revision;
    UPDATE designs SET feature_count = (SELECT count(*) FROM features WHERE features.map_uuid = designs.map_uuid);
  `);
}
