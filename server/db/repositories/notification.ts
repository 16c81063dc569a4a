import type { Database } from 'better-sqlite3';
import type { AlarmCondition } from '../../contract/alarm.ts';
import type { Severity } from '../../contract/facility-live.ts';
import { mostWaiting, type NotificationTarget } from '../../contract/notification-target.ts';

/** The settings of a target without what is stored or counted beside them. */
export type TargetSettings = Omit<NotificationTarget, 'secret' | 'waiting' | 'last_result'>;

export interface StoredTarget {
  settings: TargetSettings;
  sealed_secret: string | null;
  waiting: number;
  last_result: NotificationTarget['last_result'];
}

/** A message for one target. */
export interface Outgoing {
  target_id: string;
  reason: 'came' | 'over' | 'still';
  at: string;
  severity: Severity;
  facts: AlarmCondition;
}

export type OutgoingRow = Outgoing & { ordinal: number };

interface TargetRow {
  target: string;
  sealed_secret: string | null;
  last_result: string | null;
  waiting: number;
}

const select = `SELECT target, sealed_secret, last_result,
  (SELECT count(*) FROM notification_outbox WHERE target_id = unique_id) AS waiting FROM notification_targets`;

/** The notification targets in orangery.db and what waits for them. */
export class NotificationRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  targets(): StoredTarget[] {
    return this.#database.prepare<[], TargetRow>(`${select} ORDER BY target ->> 'name'`).all().map(stored);
  }

  /** `id` in lower case. */
  target(id: string): StoredTarget | undefined {
    const row = this.#database.prepare<[string], TargetRow>(`${select} WHERE unique_id = ?`).get(id);
    return row && stored(row);
  }

  saveTarget({ settings, sealed_secret }: Pick<StoredTarget, 'settings' | 'sealed_secret'>): void {
    this.#database
      .prepare(
        `INSERT INTO notification_targets (unique_id, target, sealed_secret) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET target = excluded.target, sealed_secret = excluded.sealed_secret`,
      )
      .run(settings.unique_id, JSON.stringify(settings), sealed_secret);
  }

  saveResult(id: string, result: NonNullable<NotificationTarget['last_result']>): void {
    this.#database
      .prepare('UPDATE notification_targets SET last_result = ? WHERE unique_id = ?')
      .run(JSON.stringify(result), id);
  }

  removeTarget(id: string): void {
    this.#database.prepare('DELETE FROM notification_targets WHERE unique_id = ?').run(id);
  }

  add({ facts, ...row }: Outgoing): void {
    this.#database
      .prepare(
        `INSERT INTO notification_outbox (target_id, reason, at, severity, facts)
         VALUES (@target_id, @reason, @at, @severity, @facts)`,
      )
      .run({ ...row, facts: JSON.stringify(facts) });
  }

  /** Oldest first. */
  waiting(targetId: string, limit: number): OutgoingRow[] {
    return this.#database
      .prepare<[string, number], Omit<OutgoingRow, 'facts'> & { facts: string }>(
        'SELECT * FROM notification_outbox WHERE target_id = ? ORDER BY ordinal LIMIT ?',
      )
      .all(targetId, limit)
      .map((row) => ({ ...row, facts: JSON.parse(row.facts) as AlarmCondition })); // as `add` was given it
  }

  removeSent(ordinals: readonly number[]): void {
    const remove = this.#database.prepare('DELETE FROM notification_outbox WHERE ordinal = ?');
    for (const ordinal of ordinals) remove.run(ordinal);
  }

  /** Drops what is too old to be of interest, and what exceeds the maximum for one target. */
  prune(at: string): void {
    this.#database.prepare('DELETE FROM notification_outbox WHERE at < ?').run(at);
    this.#database
      .prepare(
        `DELETE FROM notification_outbox WHERE ordinal IN (SELECT ordinal FROM (
           SELECT ordinal, row_number() OVER (PARTITION BY target_id ORDER BY ordinal DESC) AS place FROM notification_outbox
         ) WHERE place > ?)`,
      )
      .run(mostWaiting);
  }

  /** The last processed line of the alarm journal; undefined before the first. */
  progress(): number | undefined {
    const query = 'SELECT ordinal FROM notification_progress WHERE id = 1';
    return this.#database.prepare<[], { ordinal: number }>(query).get()?.ordinal;
  }

  saveProgress(ordinal: number): void {
    this.#database.prepare('INSERT OR REPLACE INTO notification_progress (id, ordinal) VALUES (1, ?)').run(ordinal);
  }
}

/** In the form given to `saveTarget` and `saveResult`. */
function stored({ target, sealed_secret, last_result, waiting }: TargetRow): StoredTarget {
  const settings = JSON.parse(target) as TargetSettings;
  const result = JSON.parse(last_result ?? 'null') as StoredTarget['last_result'];
  return {
    settings,
    sealed_secret,
    waiting,
    last_result: result && { ...result, fault: result.fault ?? null }, // one of an older version has none
  };
}
