import { statSync } from 'node:fs';
import { codeOf } from '../../contract/code-of.ts';
import { Refusal } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import { measurementsMigrations } from '../../db/migrations/measurements.ts';
import { openDatabase, type Database } from '../../db/open.ts';
import { SeriesRows } from './series-rows.ts';

interface Opened {
  db: Database;
  rows: SeriesRows;
  inode: number;
}

/** A measurements.db open for reading. If its writer replaces the file, the new one is read. */
export class FollowedFile {
  readonly #path: string;
  #opened: Opened | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /** Reads one state of the file. Throws `not_available` while it is missing or damaged. */
  read<Result>(task: (rows: SeriesRows) => Result): Result {
    try {
      const { rows } = this.#current();
      return rows.snapshot(() => task(rows));
    } catch (cause) {
      if (!isUnreadable(cause)) throw cause;
      this.close();
      throw new Refusal('not_available', why('measurements_unreadable'), { cause });
    }
  }

  close(): void {
    this.#opened?.db.close();
    this.#opened = null;
  }

  #current(): Opened {
    const inode = statSync(this.#path).ino;
    if (this.#opened?.inode === inode) return this.#opened;
    this.close();
    const db = openDatabase(this.#path, { migrations: measurementsMigrations, readonly: true });
    this.#opened = { db, rows: new SeriesRows(db), inode };
    return this.#opened;
  }
}

/** The file is missing, damaged by SQLite's account, or locked for its repair. */
function isUnreadable(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return code === 'ENOENT' || /^SQLITE_(CORRUPT|NOTADB|CANTOPEN|IOERR|BUSY)/.test(code);
}
