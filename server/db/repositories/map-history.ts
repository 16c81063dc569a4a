import type { Database, Statement } from 'better-sqlite3';
import type { MapRevision } from '../../contract/design.ts';
import type { ChangeSince } from '../../contract/overlay.ts';

type Replacement =
  | { kind: 'added'; unique_id: string; geometry: null; properties: null }
  | { kind: 'modified' | 'deleted'; unique_id: string; geometry: string; properties: string };

export interface Save extends MapRevision {
  map_uuid: string;
  /** JSON of the map's own fields where the save replaced them, else null. */
  design_before: string | null;
}

/** A feature as it was at an earlier revision: JSON texts, null where it did not exist. */
export interface EarlierFeature {
  unique_id: string;
  geometry: string | null;
  properties: string | null;
}

const columns = 'revision, kind, user_id, username, at, added, modified, deleted';

/** The answer that a save got, for a repeat of it. */
export interface KeptAnswer {
  save_id: string;
  map_uuid: string;
  /** Of call, user and body. */
  digest: string;
  at: string;
  /** JSON. */
  answer: string;
}

/** What each save of a map did and what it replaced, and the answers that repeats of a save get. */
export class MapHistoryRepository {
  readonly #db: Database;
  readonly #replace: Statement<[{ historyId: number | bigint } & Replacement]>;

  constructor(db: Database) {
    this.#db = db;
    this.#replace = db.prepare(
      `INSERT INTO feature_history (history_id, unique_id, kind, geometry, properties)
       VALUES (@historyId, @unique_id, @kind, @geometry, @properties)`,
    );
  }

  /** Keeps a save; returns the id under which its replaced features are kept. */
  record(save: Save): number | bigint {
    return this.#db
      .prepare(
        `INSERT INTO map_history (map_uuid, ${columns}, design_before)
         VALUES (@map_uuid, @revision, @kind, @user_id, @username, @at, @added, @modified, @deleted, @design_before)`,
      )
      .run(save).lastInsertRowid;
  }

  recordReplaced(historyId: number | bigint, replaced: Replacement): void {
    this.#replace.run({ historyId, ...replaced });
  }

  /** Saves with a revision below `before`, newest first. */
  list(mapId: string, page: { before: number; limit: number }): MapRevision[] {
    return this.#db
      .prepare<[{ mapId: string } & typeof page], MapRevision>(
        `SELECT ${columns} FROM map_history WHERE map_uuid = @mapId AND revision < @before
         ORDER BY revision DESC LIMIT @limit`,
      )
      .all({ mapId, ...page });
  }

  /** The last change of each feature after a revision, oldest first. With max(), SQLite takes the other columns of that row. */
  featuresChangedSince(mapId: string, revision: number): IterableIterator<ChangeSince> {
    return this.#db
      .prepare<[string, number], ChangeSince>(
        `SELECT unique_id, max(revision) AS revision, username AS by, at, feature_history.kind
         FROM map_history JOIN feature_history ON history_id = map_history.id
         WHERE map_uuid = ? AND revision > ? GROUP BY unique_id ORDER BY 2`,
      )
      .iterate(mapId, revision);
  }

  /** The last change of the map's own fields after a revision. */
  designChangedSince(mapId: string, revision: number): ChangeSince | undefined {
    return this.#db
      .prepare<[string, number], ChangeSince>(
        `SELECT map_uuid AS unique_id, revision, username AS by, at, 'design' AS kind FROM map_history
         WHERE map_uuid = ? AND revision > ? AND design_before IS NOT NULL ORDER BY revision DESC LIMIT 1`,
      )
      .get(mapId, revision);
  }

  /** Every feature that changed after a revision, as it was then: what the first later save replaced. */
  featuresAt(mapId: string, revision: number): EarlierFeature[] {
    return this.#db
      .prepare<[string, number], EarlierFeature>(
        `SELECT unique_id, geometry, properties, min(revision) FROM map_history
         JOIN feature_history ON history_id = map_history.id
         WHERE map_uuid = ? AND revision > ? GROUP BY unique_id`,
      )
      .all(mapId, revision);
  }

  /** JSON of the map's own fields at a revision, where they changed later. */
  designAt(mapId: string, revision: number): string | undefined {
    return this.#db
      .prepare<[string, number], string>(
        `SELECT design_before FROM map_history
         WHERE map_uuid = ? AND revision > ? AND design_before IS NOT NULL ORDER BY revision LIMIT 1`,
      )
      .pluck()
      .get(mapId, revision);
  }

  /** What the save of an id was and the JSON of its answer, where that was given after `since`. */
  answer(saveId: string, since: string): Pick<KeptAnswer, 'digest' | 'answer'> | undefined {
    return this.#db
      .prepare<[string, string], Pick<KeptAnswer, 'digest' | 'answer'>>(
        'SELECT digest, answer FROM save_answers WHERE save_id = ? AND at > ?',
      )
      .get(saveId, since);
  }

  keepAnswer(kept: KeptAnswer): void {
    this.#db
      .prepare(
        `REPLACE INTO save_answers (save_id, map_uuid, digest, at, answer)
         VALUES (@save_id, @map_uuid, @digest, @at, @answer)`,
      )
      .run(kept);
  }

  /** Forgets answers given at or before a moment. */
  forgetAnswers(until: string): void {
    this.#db.prepare('DELETE FROM save_answers WHERE at <= ?').run(until);
  }
}
