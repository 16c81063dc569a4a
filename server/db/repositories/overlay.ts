import type { Database, Statement } from 'better-sqlite3';
import type { FeatureType } from '../../contract/overlay.ts';

/** Degrees; west above east crosses the 180th meridian. */
export interface Box {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** A feature as drawn. `geometry` and `properties` are JSON texts, stored and sent unchanged. */
export interface DrawnFeature extends Box {
  unique_id: string;
  type: FeatureType;
  geometry: string;
  properties: string;
  /** For a placed device, else null. */
  device_id: string | null;
  channel: number | null;
}

export interface FeatureRecord extends DrawnFeature {
  id: number;
  map_uuid: string;
  /** On its map, in the order in which they were first drawn. */
  ordinal: number;
  /** User of the last change, null for the service itself. */
  changed_by: string | null;
  changed_revision: number;
}

/** Where a feature lies, by the id of its row. */
export interface FeatureBox extends Box {
  id: number;
  type: FeatureType;
}

/** Who changed a feature, and with which revision of the map. */
export interface Change {
  map_uuid: string;
  changed_by: string | null;
  changed_revision: number;
}

export interface FeatureFilter {
  type?: FeatureType | undefined;
  bbox?: Box | undefined;
  /** In lower case. */
  unique_id?: string | undefined;
}

/** The place of a feature in the order of maps and drawing: it stays even if saves give it another id. */
export interface FeaturePlace {
  /** Number of the map. */
  map: number;
  ordinal: number;
  /** Distinguishes features of one ordinal. */
  unique_id: string;
}

export interface DoublePlacement {
  device_id: string;
  channel: number | null;
  /** unique_id of two features that place it. */
  one: string;
  other: string;
}

type Parameters = Record<string, string | number>;

const columns = `id, unique_id, map_uuid, ordinal, type, geometry, properties, device_id, channel,
  west, south, east, north, changed_by, changed_revision`;

const asGeoJson = `'{"type":"Feature","geometry":' || geometry || ',"properties":' || properties || '}'`;

/** The properties always have a type, so that a member can be inserted before their closing brace. */
const asGeoJsonWithMap = `'{"type":"Feature","geometry":' || geometry || ',"properties":'
  || substr(properties, 1, length(properties) - 1) || ',"map_uuid":"' || current_features.map_uuid || '"}}'`;

/** Rows deleted in one statement. */
const sweptAtOnce = 50;

/**
 * The features of the maps of orangery.db. Identifiers are in lower case. A feature that a save under way changes has
 * two rows: the present one, which ends with the revision of that save, and the one that comes with it.
 */
export class OverlayRepository {
  readonly #db: Database;
  readonly #one: Statement<[string], FeatureRecord>;
  readonly #latest: Statement<[string], FeatureRecord>;
  readonly #insert: Statement<[DrawnFeature & Change & { ordinal: number | null }]>;
  readonly #update: Statement<[DrawnFeature & Change]>;
  readonly #remove: Statement<[string]>;
  readonly #replace: Statement<[number, number]>;
  readonly #restore: Statement<[string, string, number]>;
  readonly #sweep: Statement<[]>;

  constructor(db: Database) {
    this.#db = db;
    this.#one = db.prepare(`SELECT ${columns} FROM current_features WHERE unique_id = ?`);
    this.#latest = db.prepare(`SELECT ${columns} FROM features WHERE unique_id = ? AND replaced_revision IS NULL`);
    this.#insert = db.prepare(
      `INSERT INTO features (unique_id, map_uuid, ordinal, type, geometry, properties, device_id, channel,
         west, south, east, north, changed_by, changed_revision)
       VALUES (@unique_id, @map_uuid,
         coalesce(@ordinal, (SELECT max(ordinal) FROM features WHERE map_uuid = @map_uuid) + 1, 1),
         @type, @geometry, @properties, @device_id, @channel,
         @west, @south, @east, @north, @changed_by, @changed_revision)`,
    );
    this.#update = db.prepare(
      `UPDATE features SET type = @type, geometry = @geometry, properties = @properties,
         device_id = @device_id, channel = @channel, west = @west, south = @south, east = @east, north = @north,
         changed_by = @changed_by, changed_revision = @changed_revision
       WHERE unique_id = @unique_id AND replaced_revision IS NULL`,
    );
    this.#remove = db.prepare('DELETE FROM features WHERE unique_id = ? AND replaced_revision IS NULL');
    this.#replace = db.prepare('UPDATE features SET replaced_revision = ? WHERE id = ?');
    // With an index on the map alone SQLite would read every row, for each feature.
    this.#restore = db.prepare(
      'UPDATE features SET replaced_revision = NULL WHERE unique_id = ? AND +map_uuid = ? AND +replaced_revision = ?',
    );
    this.#sweep = db.prepare(
      `DELETE FROM features WHERE id IN (
         SELECT id FROM features JOIN designs ON designs.map_uuid = features.map_uuid
         WHERE replaced_revision IS NOT NULL AND replaced_revision <= designs.revision LIMIT ${sweptAtOnce})`,
    );
  }

  get(id: string): FeatureRecord | undefined {
    return this.#one.get(id);
  }

  ofMap(mapId: string): FeatureRecord[] {
    return this.#db
      .prepare<[string], FeatureRecord>(
        `SELECT ${columns} FROM current_features WHERE map_uuid = ? ORDER BY ordinal, id`,
      )
      .all(mapId);
  }

  /** The present feature, or the one that comes with a save under way if that completes. */
  latest(id: string): FeatureRecord | undefined {
    return this.#latest.get(id);
  }

  /** After all others of its map, or in the place of one. */
  insert(feature: DrawnFeature, change: Change, ordinal: number | null = null): void {
    this.#insert.run({ ...feature, ...change, ordinal });
  }

  /** From this revision of its map on, the row no longer counts. */
  replace({ id }: FeatureRecord, revision: number): void {
    this.#replace.run(revision, id);
  }

  /** Keeps a row that was to end with this revision. */
  restore(uniqueId: string, mapId: string, revision: number): void {
    this.#restore.run(uniqueId, mapId, revision);
  }

  /** Whether there are rows that no longer count, or will not after a save under way. */
  hasReplaced(): boolean {
    return this.#db.prepare('SELECT 1 FROM features WHERE replaced_revision IS NOT NULL LIMIT 1').get() !== undefined;
  }

  /** Deletes some of the rows that no longer count; false when there were none. */
  sweep(): boolean {
    return this.#sweep.run().changes > 0;
  }

  update(feature: DrawnFeature, change: Change): void {
    this.#update.run({ ...feature, ...change });
  }

  remove(id: string): void {
    this.#remove.run(id);
  }

  /** The first device that is placed on the map more than once. */
  doublePlacement(mapId: string): DoublePlacement | undefined {
    return this.#db
      .prepare<[string], DoublePlacement>(
        `SELECT device_id, channel, min(unique_id) AS one, max(unique_id) AS other FROM current_features
         WHERE map_uuid = ? AND device_id IS NOT NULL GROUP BY device_id, channel HAVING count(*) > 1 LIMIT 1`,
      )
      .get(mapId);
  }

  /**
   * The features of a map in the order in which they were first drawn: GeoJSON with commas between. SQLite joins them
   * as bytes, which takes a quarter of the time of 100,000 strings.
   */
  geoJsonOfMap(mapId: string, filter: FeatureFilter): Buffer {
    const { where, parameters } = conditions(filter);
    // With a box the R*Tree finds them: by the index of the map SQLite would read everything on it.
    const onMap = filter.bbox === undefined ? 'map_uuid' : '+map_uuid';
    const joined = this.#db
      .prepare<[Parameters], Buffer | null>(
        `SELECT CAST(group_concat(text) AS BLOB) FROM
         (SELECT ${asGeoJson} AS text FROM current_features WHERE ${onMap} = @mapId ${where} ORDER BY ordinal, id)`,
      )
      .pluck()
      .get({ ...parameters, mapId });
    return joined ?? Buffer.alloc(0);
  }

  /** GeoJSON of these features of a map with commas between, in the order in which they were first drawn. */
  geoJsonOfFeatures(mapId: string, ids: readonly string[]): Buffer {
    const joined = this.#db
      .prepare<[{ mapId: string; ids: string }], Buffer | null>(
        `SELECT CAST(group_concat(text) AS BLOB) FROM
         (SELECT ${asGeoJson} AS text FROM current_features
          WHERE unique_id IN (SELECT value FROM json_each(@ids)) AND map_uuid = @mapId ORDER BY ordinal, id)`,
      )
      .pluck()
      .get({ mapId, ids: JSON.stringify(ids) });
    return joined ?? Buffer.alloc(0);
  }

  /** In the order in which they were first drawn. */
  boxesOfMap(mapId: string): FeatureBox[] {
    return this.#db
      .prepare<[string], FeatureBox>(
        'SELECT id, type, west, south, east, north FROM current_features WHERE map_uuid = ? ORDER BY ordinal, id',
      )
      .all(mapId);
  }

  /** GeoJSON of the rows of these ids. */
  geoJsonOf(ids: readonly number[]): string[] {
    const text = this.#db.prepare<[number], string>(`SELECT ${asGeoJson} FROM features WHERE id = ?`).pluck();
    return ids.flatMap((id) => text.get(id) ?? []);
  }

  /** A page of the features of all living maps, after a place, as GeoJSON texts that name their map. */
  geoJsonOfAll(
    filter: FeatureFilter,
    { after, limit }: { after: FeaturePlace; limit: number },
  ): (FeaturePlace & { text: string })[] {
    const { where, parameters } = conditions(filter);
    return this.#db
      .prepare<[Parameters], FeaturePlace & { text: string }>(
        `SELECT designs.rowid AS map, ordinal, unique_id, ${asGeoJsonWithMap} AS text FROM current_features
         JOIN designs ON designs.map_uuid = current_features.map_uuid AND designs.deleted_at IS NULL
         WHERE designs.rowid >= @map AND ordinal >= iif(designs.rowid = @map, @ordinal, 0)
           AND (designs.rowid, ordinal, unique_id) > (@map, @ordinal, @after_id) ${where}
         ORDER BY designs.rowid, ordinal, unique_id LIMIT @limit`,
      )
      .all({ ...parameters, map: after.map, ordinal: after.ordinal, after_id: after.unique_id, limit });
  }
}

/** The R*Tree finds candidates by its rounded boxes, the exact boxes decide. */
function conditions({ type, bbox, unique_id }: FeatureFilter): { where: string; parameters: Parameters } {
  const parts: string[] = [];
  if (type !== undefined) parts.push('current_features.type = @type');
  if (unique_id !== undefined) parts.push('current_features.unique_id = @unique_id');
  if (bbox !== undefined) {
    const inside = bbox.west <= bbox.east ? 'east >= @west AND west <= @east' : '(east >= @west OR west <= @east)';
    const overlaps = `south <= @north AND north >= @south AND ${inside}`;
    parts.push(`current_features.id IN (SELECT id FROM feature_rtree WHERE ${overlaps})`, overlaps);
  }
  const parameters = { ...(type !== undefined && { type }), ...(unique_id !== undefined && { unique_id }), ...bbox };
  return { where: parts.map((part) => `AND ${part}`).join(' '), parameters };
}
