import type { Database } from 'better-sqlite3';

/** How far the daemon's events were processed for the audit. */
export interface HeardEvents {
  /** The last of them, `BOOT:N`. */
  event_id: string;
  /** Nothing was missed until then. */
  heard_at: string;
  /** The service stopped in order, and its daemon with it. */
  is_closed: boolean;
}

export class HeardEventsRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** undefined before the first. */
  get(): HeardEvents | undefined {
    const row = this.#db
      .prepare<[], Omit<HeardEvents, 'is_closed'> & { is_closed: number }>(
        'SELECT event_id, heard_at, is_closed FROM heard_events',
      )
      .get();
    return row && { ...row, is_closed: row.is_closed === 1 };
  }

  set({ is_closed, ...heard }: HeardEvents): void {
    this.#db
      .prepare(
        `INSERT INTO heard_events (id, event_id, heard_at, is_closed) VALUES (1, @event_id, @heard_at, @is_closed)
         ON CONFLICT (id) DO UPDATE SET event_id = @event_id, heard_at = @heard_at, is_closed = @is_closed`,
      )
      .run({ ...heard, is_closed: is_closed ? 1 : 0 });
  }
}
