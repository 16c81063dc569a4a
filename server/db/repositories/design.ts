import type { Database, Statement } from 'better-sqlite3';
import type { DesignFields, Layers } from '../../contract/design-fields.ts';

export interface DesignRecord extends DesignFields {
  map_uuid: string;
  revision: number;
  feature_count: number;
  created_at: string;
  updated_at: string;
  /** In the trash since; null for a living map. */
  deleted_at: string | null;
  /** 1 while it is being removed for good. */
  is_purged: 0 | 1;
}

/** The number of features that a map has at a revision. */
type Counted = Pick<DesignRecord, 'map_uuid' | 'revision'> & { counted: number };

type DesignRow = Omit<DesignRecord, 'layers'> & { layers: string };

const columns = `map_uuid, name, lat, lng, zoom, layers, revision, feature_count, created_at, updated_at, deleted_at,
  is_purged`;

/** Rows deleted in one statement. */
const purgedAtOnce = 50;

/** Some at a time, so that no step looks through the saves that earlier steps emptied. */
const oldestSaves = `(SELECT id FROM map_history WHERE map_uuid = ? ORDER BY revision LIMIT ${purgedAtOnce})`;

/** The parts of a map in steps, rows that others refer to last. */
const purgeSteps = [
  `facilities WHERE ordinal IN (SELECT ordinal FROM facilities WHERE geo_id = ? LIMIT ${purgedAtOnce})`,
  `features WHERE id IN (SELECT id FROM features WHERE map_uuid = ? LIMIT ${purgedAtOnce})`,
  `feature_history WHERE id IN (SELECT id FROM feature_history WHERE history_id IN ${oldestSaves} LIMIT ${purgedAtOnce})`,
  `map_history WHERE id IN ${oldestSaves}`,
  `save_answers WHERE save_id IN (SELECT save_id FROM save_answers WHERE map_uuid = ? LIMIT ${purgedAtOnce})`,
];

/** The maps of orangery.db, living and in the trash. Identifiers are in lower case, times ISO 8601 UTC. */
export class DesignRepository {
  readonly #db: Database;
  readonly #one: Statement<[string], DesignRow>;
  readonly #purge: Statement<[string]>[];
  readonly #remove: Statement<[string]>;
  readonly #standings: Statement<[], Pick<DesignRecord, 'map_uuid' | 'revision' | 'updated_at' | 'deleted_at'>>;

  constructor(db: Database) {
    this.#db = db;
    this.#one = db.prepare(`SELECT ${columns} FROM designs WHERE map_uuid = ?`);
    this.#purge = purgeSteps.map((step) => db.prepare(`DELETE FROM ${step}`));
    this.#remove = db.prepare('DELETE FROM designs WHERE map_uuid = ?');
    this.#standings = db.prepare('SELECT map_uuid, revision, updated_at, deleted_at FROM designs ORDER BY rowid');
  }

  get(id: string): DesignRecord | undefined {
    const row = this.#one.get(id);
    return row && fromRow(row);
  }

  /** Tells whether each has changed, including those in the trash. */
  standings(): Pick<DesignRecord, 'map_uuid' | 'revision' | 'updated_at' | 'deleted_at'>[] {
    return this.#standings.all();
  }

  /** Living maps in order of creation, or those in the trash, last deleted first. */
  list(options: { trash: boolean }): DesignRecord[] {
    const choice = options.trash
      ? 'WHERE deleted_at IS NOT NULL AND is_purged = 0 ORDER BY deleted_at DESC, rowid'
      : 'WHERE deleted_at IS NULL ORDER BY rowid';
    return this.#db.prepare<[], DesignRow>(`SELECT ${columns} FROM designs ${choice}`).all().map(fromRow);
  }

  /** Makes an empty map at revision 0. One that is not `isSaved` waits for its first save. */
  insert(id: string, fields: DesignFields, made: { at: string; isSaved: boolean }): void {
    this.#db
      .prepare(
        `INSERT INTO designs (map_uuid, name, lat, lng, zoom, layers, revision, is_saved, created_at, updated_at)
         VALUES (@id, @name, @lat, @lng, @zoom, @layers, 0, @isSaved, @at, @at)`,
      )
      .run({ id, ...toColumns(fields), at: made.at, isSaved: Number(made.isSaved) });
  }

  update(id: string, fields: DesignFields): void {
    this.#db
      .prepare(
        'UPDATE designs SET name = @name, lat = @lat, lng = @lng, zoom = @zoom, layers = @layers WHERE map_uuid = @id',
      )
      .run({ id, ...toColumns(fields) });
  }

  /** Completes a save: sets the map's revision and adds to its feature count. */
  advance(id: string, { revision, at, more }: { revision: number; at: string; more: number }): void {
    this.#db
      .prepare(
        `UPDATE designs SET revision = @revision, updated_at = @at, feature_count = feature_count + @more
         WHERE map_uuid = @id`,
      )
      .run({ id, revision, at, more });
  }

  /** Maps whose feature count is wrong, with the count at their revision. */
  miscounted(): Counted[] {
    return this.#db
      .prepare<[], Counted>(
        `SELECT map_uuid, revision, counted FROM (
           SELECT *, (SELECT count(*) FROM current_features WHERE current_features.map_uuid = designs.map_uuid) AS counted
           FROM designs)
         WHERE counted <> feature_count`,
      )
      .all();
  }

  /** Corrects the count, unless the map has changed since. */
  recount(counted: Counted): void {
    this.#db
      .prepare('UPDATE designs SET feature_count = @counted WHERE map_uuid = @map_uuid AND revision = @revision')
      .run(counted);
  }

  markSaved(id: string): void {
    this.#db.prepare('UPDATE designs SET is_saved = 1 WHERE map_uuid = ? AND is_saved = 0').run(id);
  }

  /** `at` puts the map into the trash, null restores it. */
  setDeleted(id: string, at: string | null): void {
    this.#db.prepare('UPDATE designs SET deleted_at = ? WHERE map_uuid = ?').run(at, id);
  }

  /**
   * Ids of maps due for removal: empty, never saved and made before one moment, in the trash since before another, or
   * already being removed.
   */
  expired(before: { made: string; deleted: string }): string[] {
    return this.#db
      .prepare<[typeof before], string>(
        `SELECT map_uuid FROM designs
         WHERE (is_saved = 0 AND feature_count = 0 AND created_at <= @made) OR deleted_at <= @deleted OR is_purged = 1`,
      )
      .pluck()
      .all(before);
  }

  /** From here on the map is invisible and cannot be restored. */
  markPurged(id: string, at: string): void {
    this.#db
      .prepare('UPDATE designs SET is_purged = 1, deleted_at = coalesce(deleted_at, ?) WHERE map_uuid = ?')
      .run(at, id);
  }

  /** Deletes some of a map's parts, its own row last; false when nothing was left. */
  purgeSome(id: string): boolean {
    return this.#purge.some((step) => step.run(id).changes > 0) || this.remove(id);
  }

  /** Removes a small map at once; false when there was none. */
  remove(id: string): boolean {
    return this.#remove.run(id).changes > 0;
  }
}

function toColumns({ name, lat, lng, zoom, layers }: DesignFields): Omit<DesignFields, 'layers'> & { layers: string } {
  return { name, lat, lng, zoom, layers: JSON.stringify(layers) };
}

function fromRow(row: DesignRow): DesignRecord {
  // Written only by toColumns.
  return { ...row, layers: JSON.parse(row.layers) as Layers };
}
