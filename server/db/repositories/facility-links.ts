import type { Database } from '../open.ts';

interface OnShape {
  unique_id: string;
  shape_uuid: string;
}

/** Queries that maps make about facilities, on the caller's connection and in its transaction. */
export const facilityLinks = {
  /** Living facilities of a map. */
  facilitiesOfMap(db: Database, mapId: string): OnShape[] {
    return db
      .prepare<[string], OnShape>(
        'SELECT unique_id, shape_uuid FROM facilities WHERE deleted_at IS NULL AND geo_id = ? ORDER BY ordinal',
      )
      .all(mapId);
  },

  /** Number of living facilities for each map; a map without any is missing. */
  facilityCounts(db: Database): { map_uuid: string; count: number }[] {
    return db
      .prepare<[], { map_uuid: string; count: number }>(
        'SELECT geo_id AS map_uuid, count(*) AS count FROM facilities WHERE deleted_at IS NULL GROUP BY geo_id',
      )
      .all();
  },

  /** Puts the living facilities of a map into the trash as of `at` (ISO 8601) and returns their ids. */
  trashFacilitiesOfMap(db: Database, mapId: string, at: string): string[] {
    return ids(
      db
        .prepare<[string, string], { unique_id: string }>(
          'UPDATE facilities SET deleted_at = ? WHERE geo_id = ? AND deleted_at IS NULL RETURNING unique_id',
        )
        .all(at, mapId),
    );
  },

  /** Restores those that went into the trash with the map, identified by the same `at`, and returns their ids. */
  restoreFacilitiesOfMap(db: Database, mapId: string, at: string): string[] {
    return ids(
      db
        .prepare<[string, string], { unique_id: string }>(
          'UPDATE facilities SET deleted_at = NULL WHERE geo_id = ? AND deleted_at = ? RETURNING unique_id',
        )
        .all(mapId, at),
    );
  },

  /** When a facility of a map was last put into the trash; null when none is there. */
  lastTrashedOfMap(db: Database, mapId: string): string | null {
    const last = db.prepare<[string], string | null>('SELECT max(deleted_at) FROM facilities WHERE geo_id = ?').pluck();
    return last.get(mapId) ?? null;
  },
};

function ids(rows: { unique_id: string }[]): string[] {
  return rows.map((row) => row.unique_id);
}
