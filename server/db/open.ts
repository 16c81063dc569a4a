import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { migrate, refuseNewer, versionOf } from './migrate.ts';
import type { Migration } from './migration.ts';
import { createPrivate } from './private-file.ts';
import { recovering } from './recovering.ts';
import { storageFaultOf } from './storage-fault.ts';

export type Database = Sqlite.Database;

interface OpenOptions {
  /** The file's migrations: a writer applies them, a reader only refuses a newer file. */
  migrations?: readonly Migration[];
  /** For a file that another process writes. It must exist. */
  readonly?: boolean;
  /** How long a statement waits for the lock of another connection; default 5 s. */
  waitMs?: number;
}

const busyTimeoutMs = 5000;
/**
 * Where a file's header names the journal for reading and writing, and the value for a rollback journal: file format,
 * 1.3.
 */
const journalVersions = [18, 20] as const;
const rollbackJournal = 1;
/** The longest write of another thread that blocks nothing, ms. */
const briefMs = 20;

/**
 * Opens a database file, creates it when missing, and migrates it. Throws `DatabaseTooNewError` when a newer program
 * wrote it; nothing stays open after an error.
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
 * Opens a file read-only when nothing can be written beside it, e.g. on a full or read-only disk. SQLite wants to
 * create an index there for what is not yet merged into the file; if nothing is, the file is read into memory. Throws
 * the SQLite error.
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
 * Opens a file for writing, or if the disk refuses, for reading: then every write fails with SQLITE_READONLY until
 * `recoverWriting` finds that the disk accepts writes. Throws as `openDatabase`, also when a read-only file would have
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

/** Throws the error of writing when the file would have to be migrated. */
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

/** Whether a connection is read-only because its disk refuses writes. */
export function isReadOnly(db: Database): boolean {
  return db.pragma('query_only', { simple: true }) === 1;
}

function isRefusedByDisk(error: unknown): boolean {
  const fault = storageFaultOf(error);
  return fault !== undefined && fault !== 'busy';
}

/**
 * From now on a statement of this connection hardly waits for others, as required on a serving thread: after
 * SQLITE_BUSY it is retried later instead.
 */
export function waitBriefly(db: Database): void {
  db.pragma(`busy_timeout = ${briefMs}`);
}

/** True when the file does not exist yet, or lacks a migration of the list. */
export function isBehind(file: string, migrations: readonly Migration[]): boolean {
  if (!existsSync(file)) return true;
  const db = openDatabase(file, { readonly: true });
  try {
    return versionOf(db) < migrations.length;
  } finally {
    db.close();
  }
}
