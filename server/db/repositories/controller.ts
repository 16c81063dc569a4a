import type { Database, Statement } from 'better-sqlite3';
import type { ControllerKind, ControllerSettings } from '../../contract/controller-kind.ts';

interface ControllerRow {
  unique_id: string;
  kind: string;
  name: string;
  is_activated: number;
  settings: string;
}

const columns = 'unique_id, kind, name, is_activated, settings';

/** The controllers of one kind in orangery.db, in the order in which they were made. */
export class ControllerRepository<Settings extends ControllerSettings = ControllerSettings> {
  readonly #database: Database;
  readonly #kind: Pick<ControllerKind<string, string, string, Settings>, 'word' | 'settings' | 'stored'>;
  readonly #all: Statement<[string], ControllerRow>;
  readonly #one: Statement<[string, string], ControllerRow>;

  constructor(
    database: Database,
    kind: Pick<ControllerKind<string, string, string, Settings>, 'word' | 'settings' | 'stored'>,
  ) {
    this.#database = database;
    this.#kind = kind;
    this.#all = database.prepare(`SELECT ${columns} FROM controllers WHERE kind = ? ORDER BY ordinal`);
    this.#one = database.prepare(`SELECT ${columns} FROM controllers WHERE kind = ? AND unique_id = ?`);
  }

  list(): Settings[] {
    return this.#all.all(this.#kind.word).map((row) => this.#fromRow(row));
  }

  /** `id` in lower case. */
  get(id: string): Settings | undefined {
    const row = this.#one.get(this.#kind.word, id);
    return row && this.#fromRow(row);
  }

  insert(settings: Settings): void {
    this.#database
      .prepare(`INSERT INTO controllers (${columns}) VALUES (@unique_id, @kind, @name, @is_activated, @settings)`)
      .run(this.#toRow(settings));
  }

  update(settings: Settings): void {
    this.#database
      .prepare(
        `UPDATE controllers SET name = @name, is_activated = @is_activated, settings = @settings
         WHERE unique_id = @unique_id AND kind = @kind`,
      )
      .run(this.#toRow(settings));
  }

  /** False when there was none. */
  remove(id: string): boolean {
    const remove = this.#database.prepare('DELETE FROM controllers WHERE kind = ? AND unique_id = ?');
    return remove.run(this.#kind.word, id).changes > 0;
  }

  #toRow({ unique_id, name, is_activated, ...own }: Settings): ControllerRow {
    const settings = JSON.stringify(own);
    return { unique_id, kind: this.#kind.word, name, is_activated: Number(is_activated), settings };
  }

  #fromRow({ unique_id, name, is_activated, settings }: ControllerRow): Settings {
    const own = JSON.parse(settings) as object; // as it was stored
    const read = { ...own, unique_id, name, is_activated: is_activated === 1 };
    // Settings stored by an earlier version lack those added since.
    return this.#kind.settings.parse(this.#kind.stored?.settled?.(read) ?? read);
  }
}
