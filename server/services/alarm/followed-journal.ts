import { statSync } from 'node:fs';
import { codeOf } from '../../contract/code-of.ts';
import { Refusal } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import { isDiskTrouble } from '../../db/disk-trouble.ts';
import { controlMigrations } from '../../db/migrations/control.ts';
import { openDatabase, openUnwritable, waitBriefly, type Database } from '../../db/open.ts';
import { AlarmRepository } from '../../db/repositories/alarm.ts';

export type Journal = Pick<AlarmRepository, 'journal' | 'after' | 'lastOrdinal' | 'wasHeard'>;

interface Opened {
  db: Database;
  rows: AlarmRepository;
  /** Identity of the file when it was opened. */
  file: string;
}

/** The journal in the daemon's control.db. If the daemon replaces the file, the new one is read. */
export class FollowedJournal implements Journal {
  readonly #path: string;
  #opened: Opened | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  journal: Journal['journal'] = (filter) => this.#read((rows) => rows.journal(filter));
  after: Journal['after'] = (ordinal, limit) => this.#read((rows) => rows.after(ordinal, limit));
  lastOrdinal: Journal['lastOrdinal'] = () => this.#read((rows) => rows.lastOrdinal());
  wasHeard: Journal['wasHeard'] = (entry) => this.#read((rows) => rows.wasHeard(entry));

  close(): void {
    this.#opened?.db.close();
    this.#opened = undefined;
  }

  /** Throws `not_available` while the file is missing or unreadable. */
  #read<Result>(task: (rows: AlarmRepository) => Result): Result {
    try {
      return task(this.#current());
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
      if (!isDiskTrouble(code)) throw cause;
      this.close();
      throw new Refusal('not_available', why('journal_unreadable'), { cause });
    }
  }

  #current(): AlarmRepository {
    const { ino, mtimeMs } = statSync(this.#path);
    // A database read into memory does not show later writes, so the time of the last write counts as well.
    const file = this.#opened?.db.memory === true ? `${ino} of ${mtimeMs}` : `${ino}`;
    if (this.#opened?.file === file) return this.#opened.rows;
    this.close();
    const db = open(this.#path);
    waitBriefly(db);
    this.#opened = { db, rows: new AlarmRepository(db), file: db.memory ? `${ino} of ${mtimeMs}` : `${ino}` };
    return this.#opened.rows;
  }
}

/** If the disk allows no index beside it, it is read without. */
function open(path: string): Database {
  try {
    return openDatabase(path, { migrations: controlMigrations, readonly: true, waitMs: 0 });
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (!/^SQLITE_(CANTOPEN|READONLY|IOERR|FULL)/.test(code)) throw error;
    return openUnwritable(path);
  }
}
