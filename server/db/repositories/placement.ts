import type { Database } from 'better-sqlite3';
import { geometry, type FeatureType, type Geometry } from '../../contract/overlay.ts';

/** A feature as far as those that stand on it need it. */
export interface Shape {
  unique_id: string;
  map_uuid: string;
  type: FeatureType;
  geometry: Geometry;
}

/** Where a device stands on a map. */
export interface Placement {
  device_id: string;
  map_uuid: string;
  feature_uuid: string;
  lat: number;
  lng: number;
}

/** What devices and facilities read from maps and features that are not in the trash. Identifiers are in lower case. */
export class PlacementRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  mapStanding(id: string): 'living' | 'in_trash' | 'gone' {
    const row = this.#database
      .prepare<[string], { deleted_at: string | null }>('SELECT deleted_at FROM designs WHERE map_uuid = ?')
      .get(id);
    if (row === undefined) return 'gone';
    return row.deleted_at === null ? 'living' : 'in_trash';
  }

  shape(id: string): Shape | undefined {
    const row = this.#database
      .prepare<[string], Omit<Shape, 'geometry'> & { geometry: string }>(
        `SELECT unique_id, map_uuid, type, geometry FROM current_features
         JOIN designs USING (map_uuid) WHERE unique_id = ? AND deleted_at IS NULL`,
      )
      .get(id);
    return row && { ...row, geometry: geometry.parse(JSON.parse(row.geometry)) };
  }

  /**
   * Of all maps, or of one, in the order in which they were first drawn. A placed device is a point: its box is its
   * position.
   */
  placements(mapId?: string): Placement[] {
    return this.#database
      .prepare<[{ map_uuid: string | null }], Placement>(
        `SELECT device_id, map_uuid, unique_id AS feature_uuid, south AS lat, west AS lng FROM current_features
         JOIN designs USING (map_uuid)
         WHERE device_id IS NOT NULL AND deleted_at IS NULL AND (@map_uuid IS NULL OR map_uuid = @map_uuid)
         ORDER BY designs.rowid, ordinal, id`,
      )
      .all({ map_uuid: mapId ?? null });
  }

  /** The features that place a device, now or with a save under way, and their maps. */
  usersOf(deviceId: string): { unique_id: string; name: string; map_uuid: string; map_name: string }[] {
    return this.#database
      .prepare<[string], { unique_id: string; name: string; map_uuid: string; map_name: string }>(
        `SELECT unique_id, coalesce(properties ->> 'name', '') AS name, map_uuid, designs.name AS map_name FROM features
         JOIN designs USING (map_uuid)
         WHERE device_id = ? AND deleted_at IS NULL
           AND (replaced_revision IS NULL OR replaced_revision > designs.revision)
         GROUP BY +unique_id ORDER BY designs.rowid, ordinal, id`,
      )
      .all(deviceId);
  }
}
