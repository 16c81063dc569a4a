import type { Database } from '../open.ts';

interface OnShape {
  unique_id: string;
  shape_uuid: string;
}

/** What maps ask of facilities, on the connection and in the transaction of the caller. */
export const facilityLinks = {
  /** Living facilities of a map. */
  facilitiesOfMap(db: Database, mapId: string): OnShape[] {
    return db
      .prepare<[string], OnShape>(
        'SELECT unique_id, shape_uuid FROM facilities WHERE deleted_at IS NULL AND geo_id = ? ORDER BY ordinal',
      )
      .all(mapId);
  },

  /** Living facilities a map; a map without one is missing. */
  facilityCounts(db: Database): { map_uuid: string; count: number }[] {
    return db
      .prepare<[], { map_uuid: string; count: number }>(
        'SELECT geo_id AS map_uuid, count(*) AS count FROM facilities WHERE deleted_at IS NULL GROUP BY geo_id',
      )
      .all();
  },

  /** Puts the living facilities of a map into the trash as of `at` (ISO 8601) and gives their ids. */
  trashFacilitiesOfMap(db: Database, mapId: string, at: string): string[] {
    return ids(
      db
        .prepare<[string, string], { unique_id: string }>(
          'UPDATE facilities SET deleted_at = ? WHERE geo_id = ? AND deleted_at IS NULL RETURNING unique_id',
        )
        .all(at, mapId),
    );
  },

  /** Brings back those that went into the trash with the map, known by the same `at`, and gives their ids. */
  restoreFacilitiesOfMap(db: Database, mapId: string, at: string): string[] {
    return ids(
      db
        .prepare<[string, string], { unique_id: string }>(
          'UPDATE facilities SET deleted_at = NULL WHERE geo_id = ? AND deleted_at = ? RETURNING unique_id',
        )
        .all(mapId, at),
    );
  },

  /** When a facility of a map was last put into the trash, null where none lies there. */
  lastTrashedOfMap(db: Database, mapId: string): string | null {
    const last = db.prepare<[string], string | null>('SELECT max(deleted_at) FROM facilities WHERE geo_id = ?').pluck();
    return last.get(mapId) ?? null;
  },
};

function ids(rows: { unique_id: string }[]): string[] {
  return rows.map((row) => row.unique_id);
}
