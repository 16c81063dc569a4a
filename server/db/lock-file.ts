import { existsSync, truncateSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { createPrivate } from './private-file.ts';

const busyTimeoutMs = 200;
/** Replaces the holder's process id once it has released the lock in order. */
const released = 0;

/**
 * Keeps locks alive until their release, even forgotten ones: the collector would close an unreferenced one, and its
 * lock would be gone.
 */
const held = new Set<Sqlite.Database>();

/** A file that another process holds locked. */
export class LockedError extends Error {
  readonly code = 'locked';
  /** The holder's process id, if known. */
  readonly pid: number;

  constructor(file: string, pid: number, cause: unknown) {
    super(`${file} is locked by process ${pid}`, { cause });
    this.name = 'LockedError';
    this.pid = pid;
  }
}

export interface FileLock {
  /** The last holder released it; false after a crash, and when there was none. */
  readonly wasReleased: boolean;
  /** May be called twice. */
  readonly release: () => void;
}

/**
 * Holds a file for this process alone until its release; throws `LockedError`, or the system's error when it is not
 * writable. An open write transaction is the lock: the operating system drops it with the process however that dies, so
 * that a lock never goes stale, and no other process is taken for its holder because it got the same id. The process id
 * is kept where readers may look during such a transaction.
 */
export function lockFile(file: string): FileLock {
  createPrivate(file);
  emptyIfDamaged(file);
  const db = openLock(file);
  let wasReleased;
  try {
    db.exec('BEGIN IMMEDIATE');
    wasReleased = pidIn(db) === released && isMade(db);
    db.exec(`PRAGMA user_version = ${process.pid}; COMMIT; BEGIN IMMEDIATE`);
  } catch (error) {
    const pid = isBusy(error) ? pidIn(db) : released;
    db.close();
    throw isBusy(error) ? new LockedError(file, pid, error) : error;
  }
  held.add(db);
  return { wasReleased, release: () => release(db) };
}

/** The process that holds a lock file; null when none does, undefined when that cannot be found out. Writes nothing. */
export function holderOf(file: string): number | null | undefined {
  if (!existsSync(file)) return null;
  let db;
  try {
    db = openLock(file);
    db.exec('BEGIN IMMEDIATE; ROLLBACK');
    return null;
  } catch (error) {
    return isBusy(error) && db !== undefined ? pidIn(db) : undefined;
  } finally {
    db?.close();
  }
}

/** Without a journal beside it, an existing page is overwritten in place: a full disk has room for that. */
function openLock(file: string): Sqlite.Database {
  const db = new Sqlite(file, { timeout: busyTimeoutMs });
  db.pragma('journal_mode = MEMORY');
  return db;
}

function release(db: Sqlite.Database): void {
  if (!held.delete(db)) return;
  try {
    db.exec(`PRAGMA user_version = ${released}; COMMIT`);
  } catch {
    // The next holder takes it for a crash, which is the safe side.
  }
  db.close();
}

function isMade(db: Sqlite.Database): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined;
}

function pidIn(db: Sqlite.Database): number {
  return Number(db.pragma('user_version', { simple: true }));
}

/**
 * A power cut or an accident may leave anything in a lock file. Its content is not worth failing a start, so it is
 * emptied, and an empty file is a sound one. In place, so that the lock of a present holder still counts.
 */
export function emptyIfDamaged(file: string): void {
  if (isDamagedLock(file)) truncateSync(file);
}

export function isDamagedLock(file: string): boolean {
  try {
    const db = new Sqlite(file, { readonly: true, timeout: busyTimeoutMs });
    try {
      return db.pragma('quick_check', { simple: true }) !== 'ok';
    } finally {
      db.close();
    }
  } catch (error) {
    return isDamaged(error);
  }
}

function isDamaged(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code);
}

function isBusy(error: unknown): boolean {
  return error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY');
}
