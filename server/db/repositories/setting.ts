import type { Database } from 'better-sqlite3';

/** The settings of orangery.db that differ from their defaults. */
export class SettingRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  all(): Record<string, unknown> {
    const rows = this.#db.prepare<[], { key: string; value: string }>('SELECT key, value FROM settings').all();
    return Object.fromEntries(rows.map(({ key, value }) => [key, JSON.parse(value)]));
  }

  save(changed: Record<string, unknown>): void {
    const save = this.#db.prepare(
      'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
    );
    for (const [key, value] of Object.entries(changed)) save.run(key, JSON.stringify(value));
  }
}
