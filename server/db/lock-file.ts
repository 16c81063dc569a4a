import { truncateSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { createPrivate } from './private-file.ts';

const busyTimeoutMs = 200;

/** A file that another process holds locked. */
export class LockedError extends Error {
  readonly code = 'locked';
  /** Who holds it, as far as it said. */
  readonly pid: number;

  constructor(file: string, pid: number, cause: unknown) {
    super(`${file} is locked by process ${pid}`, { cause });
    this.name = 'LockedError';
    this.pid = pid;
  }
}

/**
 * Holds a file for this process alone until the function that it gives is called; throws `LockedError`.
 * An open write transaction is the lock: the operating system drops it with the process however that dies, so that a
 * lock never goes stale, and no other process can be taken for its holder because it got the same id. The process id
 * is kept where readers may look during such a transaction.
 */
export function lockFile(file: string): () => void {
  createPrivate(file);
  emptyIfDamaged(file);
  const db = new Sqlite(file, { timeout: busyTimeoutMs });
  try {
    db.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${process.pid}; COMMIT; BEGIN IMMEDIATE`);
  } catch (error) {
    const pid = Number(db.pragma('user_version', { simple: true }));
    db.close();
    throw isBusy(error) ? new LockedError(file, pid, error) : error;
  }
  return () => {
    db.close();
  };
}

/**
 * A power cut or a slip of the hand may leave anything in a lock file, which holds nothing that is worth a start: it is emptied, and an
 * empty file is a sound one. In place, so that the lock of whoever holds it still counts.
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
