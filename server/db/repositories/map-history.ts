import type { Database, Statement } from 'better-sqlite3';
import type { MapRevision } from '../../contract/design.ts';
import type { ChangeSince } from '../../contract/overlay.ts';

type Replacement =
  | { kind: 'added'; unique_id: string; geometry: null; properties: null }
  | { kind: 'modified' | 'deleted'; unique_id: string; geometry: string; properties: string };

export interface Save extends MapRevision {
  map_uuid: string;
  /** JSON of the map's own fields if the save replaced them, else null. */
  design_before: string | null;
}

/** A feature at an earlier revision: JSON texts, null when it did not exist. */
export interface EarlierFeature {
  unique_id: string;
  geometry: string | null;
  properties: string | null;
}

const columns = 'revision, kind, user_id, username, at, added, modified, deleted';

/** The answer to a save, for repeats of it. */
export interface KeptAnswer {
  save_id: string;
  map_uuid: string;
  /** Of call, user and body. */
  digest: string;
  at: string;
  /** JSON. */
  answer: string;
}

/** A save that is being written, or was interrupted. */
export interface Pending {
  id: number;
  map_uuid: string;
  revision: number;
}

/** A feature that a save changed, with the id under which the replaced one is kept. */
export type Recorded = Pick<Replacement, 'unique_id' | 'kind'> & { id: number };

/** Changes of a save that are read at once. */
const recordedAtOnce = 50;
/** Answers deleted at once: that to a large save has more than a MiB. */
const forgottenAtOnce = 2;

/** What each save of a map did and replaced, and the answers for repeats of a save. */
export class MapHistoryRepository {
  readonly #db: Database;
  readonly #replace: Statement<[{ historyId: number } & Replacement]>;
  readonly #pendingOf: Statement<[string], Pending>;
  readonly #pending: Statement<[], Pending>;
  readonly #recorded: Statement<[number], Recorded>;
  readonly #forget: Statement<[number]>;
  readonly #forgetAnswers: Statement<[string]>;

  constructor(db: Database) {
    this.#db = db;
    this.#replace = db.prepare(
      `INSERT INTO feature_history (history_id, unique_id, kind, geometry, properties)
       VALUES (@historyId, @unique_id, @kind, @geometry, @properties)`,
    );
    const pending = `SELECT map_history.id, map_uuid, map_history.revision FROM designs
      CROSS JOIN map_history USING (map_uuid) WHERE map_history.revision > designs.revision`;
    this.#pendingOf = db.prepare(`${pending} AND map_uuid = ?`);
    this.#pending = db.prepare(pending);
    this.#recorded = db.prepare(
      `SELECT id, unique_id, kind FROM feature_history WHERE history_id = ? LIMIT ${recordedAtOnce}`,
    );
    this.#forgetAnswers = db.prepare(
      `DELETE FROM save_answers WHERE save_id IN (
         SELECT save_id FROM save_answers WHERE at <= ? LIMIT ${forgottenAtOnce})`,
    );
    this.#forget = db.prepare('DELETE FROM feature_history WHERE id = ?');
  }

  /** The save of a map that is being written. */
  pendingOf(mapId: string): Pending | undefined {
    return this.#pendingOf.get(mapId);
  }

  pending(): Pending[] {
    return this.#pending.all();
  }

  /** Some of the changes of a save. */
  recorded(historyId: number): Recorded[] {
    return this.#recorded.all(historyId);
  }

  forgetReplaced(id: number): void {
    this.#forget.run(id);
  }

  /** Deletes a save once no replaced feature is kept for it. */
  forget(historyId: number): void {
    this.#db.prepare('DELETE FROM map_history WHERE id = ?').run(historyId);
  }

  /** Stores a save; returns the id under which its replaced features are kept. */
  record(save: Save): number {
    const { lastInsertRowid } = this.#db
      .prepare(
        `INSERT INTO map_history (map_uuid, ${columns}, design_before)
         VALUES (@map_uuid, @revision, @kind, @user_id, @username, @at, @added, @modified, @deleted, @design_before)`,
      )
      .run(save);
    return Number(lastInsertRowid);
  }

  recordReplaced(historyId: number, replaced: Replacement): void {
    this.#replace.run({ historyId, ...replaced });
  }

  /** Saves with a revision below `before`, newest first. */
  list(mapId: string, page: { before: number; limit: number }): MapRevision[] {
    return this.#db
      .prepare<[{ mapId: string } & typeof page], MapRevision>(
        `SELECT ${columns} FROM done_history WHERE map_uuid = @mapId AND revision < @before
         ORDER BY revision DESC LIMIT @limit`,
      )
      .all({ mapId, ...page });
  }

  /**
   * The last change of each feature after a revision, oldest first. With max(), SQLite takes the other columns of that
   * row.
   */
  featuresChangedSince(mapId: string, revision: number): IterableIterator<ChangeSince> {
    return this.#db
      .prepare<[string, number], ChangeSince>(
        `SELECT unique_id, max(revision) AS revision, username AS by, at, feature_history.kind
         FROM done_history JOIN feature_history ON history_id = done_history.id
         WHERE map_uuid = ? AND revision > ? GROUP BY unique_id ORDER BY 2`,
      )
      .iterate(mapId, revision);
  }

  /** Each change of a feature after a revision, the latest first, as far as it is read. */
  changesBackTo(mapId: string, revision: number): IterableIterator<ChangeSince> {
    return this.#db
      .prepare<[string, number], ChangeSince>(
        `SELECT unique_id, revision, username AS by, at, feature_history.kind
         FROM done_history JOIN feature_history ON history_id = done_history.id
         WHERE map_uuid = ? AND revision > ? ORDER BY revision DESC`,
      )
      .iterate(mapId, revision);
  }

  /** How many changes of features were saved after a revision, those of one feature counted each. */
  countSince(mapId: string, revision: number): number {
    return this.#db
      .prepare<[string, number], number>(
        `SELECT coalesce(sum(added + modified + deleted), 0) FROM done_history WHERE map_uuid = ? AND revision > ?`,
      )
      .pluck()
      .get(mapId, revision) as number; // a sum without groups has one row
  }

  /** The last change of the map's own fields after a revision. */
  designChangedSince(mapId: string, revision: number): ChangeSince | undefined {
    return this.#db
      .prepare<[string, number], ChangeSince>(
        `SELECT map_uuid AS unique_id, revision, username AS by, at, 'design' AS kind FROM done_history
         WHERE map_uuid = ? AND revision > ? AND design_before IS NOT NULL ORDER BY revision DESC LIMIT 1`,
      )
      .get(mapId, revision);
  }

  /** Every feature that changed after a revision, as it was at the revision: what the first later save replaced. */
  featuresAt(mapId: string, revision: number): EarlierFeature[] {
    return this.#db
      .prepare<[string, number], EarlierFeature>(
        `SELECT unique_id, geometry, properties, min(revision) FROM done_history
         JOIN feature_history ON history_id = done_history.id
         WHERE map_uuid = ? AND revision > ? GROUP BY unique_id`,
      )
      .all(mapId, revision);
  }

  /** JSON of the map's own fields at a revision, if they changed later. */
  designAt(mapId: string, revision: number): string | undefined {
    return this.#db
      .prepare<[string, number], string>(
        `SELECT design_before FROM done_history
         WHERE map_uuid = ? AND revision > ? AND design_before IS NOT NULL ORDER BY revision LIMIT 1`,
      )
      .pluck()
      .get(mapId, revision);
  }

  /** The digest of a save with this id and the JSON of its answer, if that is from after `since`. */
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

  hasAnswers(until: string): boolean {
    return this.#db.prepare('SELECT 1 FROM save_answers WHERE at <= ? LIMIT 1').get(until) !== undefined;
  }

  /** Deletes some of the answers given at or before a moment; false when there were none. */
  forgetAnswers(until: string): boolean {
    return this.#forgetAnswers.run(until).changes > 0;
  }
}
