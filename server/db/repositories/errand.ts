import type { Database } from 'better-sqlite3';
import type { Errand } from '../../contract/errand.ts';

/** A message of a controller that waits for its target. */
export interface WaitingErrand {
  ordinal: number;
  target_id: string;
  at: string;
  errand: Errand;
}

type Row = Omit<WaitingErrand, 'errand'> & { errand: string };

/** Maximum waiting messages for one target; beyond it the oldest are dropped. */
export const mostErrands = 500;

/** The messages of controllers in orangery.db that wait to be sent. */
export class ErrandRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add({ target_id, at, errand }: Omit<WaitingErrand, 'ordinal'>): void {
    this.#database
      .prepare('INSERT INTO errands (target_id, at, ends_at, errand) VALUES (?, ?, ?, ?)')
      .run(target_id, at, errand.ends_at, JSON.stringify(errand));
  }

  /** Targets with waiting messages. */
  targets(): string[] {
    const query = 'SELECT DISTINCT target_id FROM errands';
    return this.#database
      .prepare<[], { target_id: string }>(query)
      .all()
      .map(({ target_id }) => target_id);
  }

  /** The oldest for a target. */
  next(targetId: string): WaitingErrand | undefined {
    const query = 'SELECT ordinal, target_id, at, errand FROM errands WHERE target_id = ? ORDER BY ordinal LIMIT 1';
    const row = this.#database.prepare<[string], Row>(query).get(targetId);
    return row && waiting(row);
  }

  remove(ordinal: number): void {
    this.#database.prepare('DELETE FROM errands WHERE ordinal = ?').run(ordinal);
  }

  /** Removes and returns messages that expired by `now`, and those beyond the maximum for one target. */
  giveUp(now: string): WaitingErrand[] {
    return this.#database
      .prepare<[string, number], Row>(
        `DELETE FROM errands WHERE ends_at <= ? OR ordinal IN (SELECT ordinal FROM (
           SELECT ordinal, row_number() OVER (PARTITION BY target_id ORDER BY ordinal DESC) AS place FROM errands
         ) WHERE place > ?) RETURNING ordinal, target_id, at, errand`,
      )
      .all(now, mostErrands)
      .map(waiting);
  }
}

function waiting({ errand, ...row }: Row): WaitingErrand {
  return { ...row, errand: JSON.parse(errand) as Errand }; // as `add` was given it
}
