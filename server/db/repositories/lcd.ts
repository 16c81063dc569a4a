import type { Database, Statement } from 'better-sqlite3';
import type { Lcd } from '../../contract/lcd.ts';
import { driverOptions } from '../../contract/output.ts';

interface LcdRow {
  unique_id: string;
  name: string;
  driver: string;
  options: string;
  is_activated: number;
}

const columns = 'unique_id, name, driver, options, is_activated';

/** The displays of orangery.db, in order of creation. */
export class LcdRepository {
  readonly #database: Database;
  readonly #all: Statement<[], LcdRow>;
  readonly #one: Statement<[string], LcdRow>;

  constructor(database: Database) {
    this.#database = database;
    this.#all = database.prepare(`SELECT ${columns} FROM lcds ORDER BY ordinal`);
    this.#one = database.prepare(`SELECT ${columns} FROM lcds WHERE unique_id = ?`);
  }

  list(): Lcd[] {
    return this.#all.all().map(fromRow);
  }

  /** `id` in lower case. */
  get(id: string): Lcd | undefined {
    const row = this.#one.get(id);
    return row && fromRow(row);
  }

  /** The displays whose lines show a device or a measurement. */
  usersOf(id: string): { unique_id: string; name: string }[] {
    return this.#database
      .prepare<[string], { unique_id: string; name: string }>(
        `SELECT unique_id, name FROM lcds
         WHERE EXISTS (SELECT 1 FROM json_tree(options) WHERE json_tree.atom = ?) ORDER BY ordinal`,
      )
      .all(id);
  }

  insert(lcd: Lcd): void {
    this.#database
      .prepare(`INSERT INTO lcds (${columns}) VALUES (@unique_id, @name, @driver, @options, @is_activated)`)
      .run(toRow(lcd));
  }

  update(lcd: Lcd): void {
    this.#database
      .prepare(
        `UPDATE lcds SET name = @name, driver = @driver, options = @options, is_activated = @is_activated
         WHERE unique_id = @unique_id`,
      )
      .run(toRow(lcd));
  }

  /** False when there was none. */
  remove(id: string): boolean {
    return this.#database.prepare('DELETE FROM lcds WHERE unique_id = ?').run(id).changes > 0;
  }
}

function toRow(lcd: Lcd): LcdRow {
  return {
    unique_id: lcd.unique_id,
    name: lcd.name,
    driver: lcd.driver,
    options: JSON.stringify(lcd.options),
    is_activated: Number(lcd.is_activated),
  };
}

function fromRow(row: LcdRow): Lcd {
  return { ...row, options: driverOptions.parse(JSON.parse(row.options)), is_activated: row.is_activated === 1 };
}
