import type { Database, Statement } from 'better-sqlite3';

type StoredValue = 'on' | 'off' | number;

/** What outlives the daemon of one channel. Times are epoch ms. */
export interface OutputStateRow {
  output_id: string;
  channel: number;
  /** The last effective value, null when there was none. */
  last_value: StoredValue | null;
  /** null when off. */
  on_since_ms: number | null;
  /** How long it must stay off after it switches off, s. */
  min_off_s: number;
  min_off_until_ms: number | null;
  /** The manual override, all null without one. */
  override_value: StoredValue | null;
  override_actor: string | null;
  override_reason: string | null;
  override_until_ms: number | null;
  /** When the overridden value turns off. */
  override_ends_ms: number | null;
  /** The kept command that has not acted, all null without one. */
  kept_value: StoredValue | null;
  kept_source: string | null;
  kept_actor: string | null;
  /** Until when it was to hold; null: until the next automatic command. */
  kept_hold_ms: number | null;
}

const columns = `output_id, channel, last_value, on_since_ms, min_off_s, min_off_until_ms,
  override_value, override_actor, override_reason, override_until_ms, override_ends_ms,
  kept_value, kept_source, kept_actor, kept_hold_ms`;
const values = columns.replace(/\w+/g, '@$&');

/** The state of outputs in control.db. Written only by the daemon's control store. */
export class OutputStateRepository {
  readonly #database: Database;
  readonly #save: Statement<[OutputStateRow]>;

  constructor(database: Database) {
    this.#database = database;
    this.#save = database.prepare(`INSERT OR REPLACE INTO output_channels (${columns}) VALUES (${values})`);
  }

  list(): OutputStateRow[] {
    return this.#database.prepare<[], OutputStateRow>(`SELECT ${columns} FROM output_channels`).all();
  }

  /** All or none. */
  save(rows: readonly OutputStateRow[]): void {
    this.#database
      .transaction(() => {
        for (const row of rows) this.#save.run(row);
      })
      .immediate();
  }

  /** Forgets the channels of a deleted output. */
  remove(outputId: string): void {
    this.#database.prepare('DELETE FROM output_channels WHERE output_id = ?').run(outputId);
  }

  /** False when the last daemon did not record an orderly stop, and before the first one. */
  endedOrderly(): boolean {
    const row = this.#database
      .prepare<[], { ended_orderly: number }>('SELECT ended_orderly FROM daemon_run WHERE id = 1')
      .get();
    return row?.ended_orderly === 1;
  }

  /** Whether there was a daemon before. */
  hasRun(): boolean {
    return this.#database.prepare('SELECT 1 FROM daemon_run').get() !== undefined;
  }

  markRun(endedOrderly: boolean): void {
    this.#database
      .prepare('INSERT OR REPLACE INTO daemon_run (id, ended_orderly) VALUES (1, ?)')
      .run(Number(endedOrderly));
  }
}
