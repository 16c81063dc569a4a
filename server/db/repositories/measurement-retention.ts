import type { Database, Statement } from 'better-sqlite3';

export interface RetentionRow {
  device_id: string;
  measurement_id: string;
  channel: number;
  raw_days: number;
  rollup_days: number;
}

/** Channels of orangery.db with a retention of their own. */
export class MeasurementRetentionRepository {
  readonly #all: Statement<[], RetentionRow>;
  readonly #save: Statement<[RetentionRow]>;
  readonly #remove: Statement<[string]>;

  constructor(database: Database) {
    this.#all = database.prepare(
      'SELECT device_id, measurement_id, channel, raw_days, rollup_days FROM measurement_retention',
    );
    this.#save = database.prepare(
      `INSERT INTO measurement_retention (device_id, measurement_id, channel, raw_days, rollup_days)
       VALUES (@device_id, @measurement_id, @channel, @raw_days, @rollup_days)
       ON CONFLICT DO UPDATE SET raw_days = excluded.raw_days, rollup_days = excluded.rollup_days`,
    );
    this.#remove = database.prepare('DELETE FROM measurement_retention WHERE measurement_id = ?');
  }

  list(): RetentionRow[] {
    return this.#all.all();
  }

  save({ device_id, measurement_id, channel, raw_days, rollup_days }: RetentionRow): void {
    this.#save.run({ device_id, measurement_id, channel, raw_days, rollup_days });
  }

  /** False when there was none. */
  remove(measurement_id: string): boolean {
    return this.#remove.run(measurement_id).changes > 0;
  }
}
