import type { Database } from 'better-sqlite3';

/** The settings of orangery.db that differ from their defaults. */
export class SettingRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  all(): Record<string, unknown> {
    return JSON.parse(this.text()) as Record<string, unknown>; // an object of the rows
  }

  /** All of them as one JSON text, for noticing changes. */
  text(): string {
    const text = this.#db.prepare<[], string>('SELECT json_group_object(key, json(value)) FROM settings').pluck().get();
    return text ?? '{}';
  }

  save(changed: Record<string, unknown>): void {
    const save = this.#db.prepare(
      'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
    );
    for (const [key, value] of Object.entries(changed)) save.run(key, JSON.stringify(value));
  }
}
