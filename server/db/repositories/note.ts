import type { Database, Statement } from 'better-sqlite3';
import type { Note } from '../../contract/note.ts';

/** Which notes of a list; null matches all. Times as stored, identifiers in lower case. */
export interface NoteFilter {
  from: string | null;
  to: string | null;
  category: string | null;
  device_id: string | null;
  facility_uuid: string | null;
  map_uuid: string | null;
  /** The previous page's last note. */
  before: { time: string; ordinal: number } | null;
  limit: number;
}

export type NoteRow = Note & { ordinal: number };

const columns = 'unique_id, text, category, time, device_id, facility_uuid, map_uuid, author, created_at, updated_at';

/** The notes of orangery.db. */
export class NoteRepository {
  readonly #database: Database;
  readonly #one: Statement<[string], Note>;
  readonly #page: Statement<[Record<string, unknown>], NoteRow>;

  constructor(database: Database) {
    this.#database = database;
    this.#one = database.prepare(`SELECT ${columns} FROM notes WHERE unique_id = ?`);
    this.#page = database.prepare(
      `SELECT ordinal, ${columns} FROM notes
       WHERE (@from IS NULL OR time >= @from) AND (@to IS NULL OR time < @to)
         AND (@category IS NULL OR category = @category) AND (@device_id IS NULL OR device_id = @device_id)
         AND (@facility_uuid IS NULL OR facility_uuid = @facility_uuid) AND (@map_uuid IS NULL OR map_uuid = @map_uuid)
         AND (@before_time IS NULL OR (time, ordinal) < (@before_time, @before_ordinal))
       ORDER BY time DESC, ordinal DESC LIMIT @limit`,
    );
  }

  /** Latest first. */
  list({ before, ...filter }: NoteFilter): NoteRow[] {
    return this.#page.all({
      ...filter,
      before_time: before?.time ?? null,
      before_ordinal: before?.ordinal ?? null,
    });
  }

  /** `id` in lower case. */
  get(id: string): Note | undefined {
    return this.#one.get(id);
  }

  insert(note: Note): void {
    this.#database
      .prepare(
        `INSERT INTO notes (${columns}) VALUES (@unique_id, @text, @category, @time, @device_id, @facility_uuid,
           @map_uuid, @author, @created_at, @updated_at)`,
      )
      .run(note);
  }

  update(note: Note): void {
    this.#database
      .prepare(
        `UPDATE notes SET text = @text, category = @category, time = @time, device_id = @device_id,
           facility_uuid = @facility_uuid, map_uuid = @map_uuid, updated_at = @updated_at WHERE unique_id = @unique_id`,
      )
      .run(note);
  }

  remove(id: string): void {
    this.#database.prepare('DELETE FROM notes WHERE unique_id = ?').run(id);
  }
}
