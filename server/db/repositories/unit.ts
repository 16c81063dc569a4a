import type { Database, Statement } from 'better-sqlite3';
import type { Unit } from '../../contract/unit.ts';

const columns = 'unique_id, measurement, unit, factor, "offset"';

/** The own units of orangery.db, in order of creation. */
export class UnitRepository {
  readonly #all: Statement<[], Unit>;
  readonly #insert: Statement<[Unit]>;
  readonly #update: Statement<[Unit]>;
  readonly #remove: Statement<[string]>;

  constructor(database: Database) {
    this.#all = database.prepare(`SELECT ${columns} FROM units ORDER BY ordinal`);
    this.#insert = database.prepare(
      `INSERT INTO units (${columns}) VALUES (@unique_id, @measurement, @unit, @factor, @offset)`,
    );
    this.#update = database.prepare(
      `UPDATE units SET measurement = @measurement, unit = @unit, factor = @factor, "offset" = @offset
       WHERE unique_id = @unique_id`,
    );
    this.#remove = database.prepare('DELETE FROM units WHERE unique_id = ?');
  }

  list(): Unit[] {
    return this.#all.all();
  }

  insert(unit: Unit): void {
    this.#insert.run(unit);
  }

  update(unit: Unit): void {
    this.#update.run(unit);
  }

  remove(id: string): void {
    this.#remove.run(id);
  }
}
