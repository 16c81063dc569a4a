import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { migrate, refuseNewer, versionOf } from './migrate.ts';
import type { Migration } from './migration.ts';
import { createPrivate } from './private-file.ts';
import { recovering } from './recovering.ts';
import { storageFaultOf } from './storage-fault.ts';

export type Database = Sqlite.Database;

interface OpenOptions {
  /** The file's own list: a writer brings the file up to it, a reader only refuses a file that is newer. */
  migrations?: readonly Migration[];
  /** For a file that another process writes. It must exist. */
  readonly?: boolean;
  /** How long a statement waits for the lock of another connection; 5 s when absent. */
  waitMs?: number;
}

const busyTimeoutMs = 5000;
/** Where the header of a file says by which journal it is read and written, and what it says of a rollback journal: file format, 1.3. */
const journalVersions = [18, 20] as const;
const rollbackJournal = 1;
/** So long the longest write of another thread takes that holds up nobody. */
const briefMs = 20;

/**
 * Opens a database file, makes it when it is not there, and migrates it.
 * Throws `DatabaseTooNewError` where a newer program wrote it; nothing stays open after an error.
 */
export function openDatabase(file: string, options: OpenOptions = {}): Database {
  const readonly = options.readonly ?? false;
  if (!readonly) createPrivate(file);
  const db = new Sqlite(file, { readonly, fileMustExist: readonly, timeout: options.waitMs ?? busyTimeoutMs });
  try {
    if (!readonly) db.pragma('journal_mode = WAL');
    db.pragma('foreign_keys = ON');
    db.pragma('synchronous = FULL');
    if (options.migrations !== undefined) (readonly ? refuseNewer : migrate)(db, options.migrations);
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

/**
 * Opens a file for reading where nothing can be written beside it, e.g. on a full or read-only disk. SQLite wants to make an index there of
 * what is not merged into the file yet; where nothing is, the file is read into memory. Throws what SQLite says.
 */
export function openUnwritable(file: string): Database {
  try {
    const db = new Sqlite(file, { readonly: true, fileMustExist: true });
    db.prepare('SELECT 1 FROM sqlite_schema').get();
    return db;
  } catch (error) {
    if (error instanceof Sqlite.SqliteError && error.code === 'SQLITE_NOTADB') throw error;
    if (existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0) throw error;
    const image = readFileSync(file);
    image.fill(rollbackJournal, ...journalVersions);
    return new Sqlite(image);
  }
}

/**
 * Opens a file to write it, or where the disk takes nothing to read it: then every write is refused with SQLITE_READONLY until
 * `recoverWriting` finds that the disk takes them. Throws what `openDatabase` does, also where a file that cannot be written would have
 * to be migrated.
 */
export function openAsItCan(file: string, migrations: readonly Migration[]): Database {
  try {
    return openDatabase(file, { migrations });
  } catch (error) {
    if (!isRefusedByDisk(error)) throw error;
    return recovering({
      read: () => openToRead(file, { migrations, error }),
      write: () => {
        accessSync(file, constants.W_OK);
        return openDatabase(file, { migrations, waitMs: briefMs });
      },
    });
  }
}

/** Throws the error that writing it ended with where it would have to be migrated. */
function openToRead(
  file: string,
  { migrations, error }: { migrations: readonly Migration[]; error: unknown },
): Database {
  const db = openUnwritable(file);
  refuseNewer(db, migrations);
  if (versionOf(db) < migrations.length) {
    db.close();
    throw error;
  }
  db.pragma('query_only = ON'); // what is read into memory would take writes, and forget them
  return db;
}

/** Whether a connection is one that only reads because its disk takes nothing. */
export function isReadOnly(db: Database): boolean {
  return db.pragma('query_only', { simple: true }) === 1;
}

function isRefusedByDisk(error: unknown): boolean {
  const fault = storageFaultOf(error);
  return fault !== undefined && fault !== 'busy';
}

/**
 * From now on a statement of this connection waits next to nothing for others, as it must on a thread that serves: what it is refused
 * with SQLITE_BUSY is asked again, not waited for.
 */
export function waitBriefly(db: Database): void {
  db.pragma(`busy_timeout = ${briefMs}`);
}

/** True where the file is not there yet, or a migration of the list is still to be done on it. */
export function isBehind(file: string, migrations: readonly Migration[]): boolean {
  if (!existsSync(file)) return true;
  const db = openDatabase(file, { readonly: true });
  try {
    return versionOf(db) < migrations.length;
  } finally {
    db.close();
  }
}
