import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { emptyIfDamaged, lockFile, type FileLock } from './lock-file.ts';
import { createPrivate } from './private-file.ts';

export interface InstanceLock extends FileLock {
  /** Made with the file and kept in it for ever: it identifies the file's folder. */
  readonly instance_id: string;
}

/**
 * Takes a lock file that also identifies its folder. Throws `LockedError` while another process holds it, else the
 * system's error.
 */
export function acquireInstanceLock(file: string): InstanceLock {
  createPrivate(file);
  emptyIfDamaged(file);
  nameInstance(file);
  const lock = lockFile(file);
  const instanceId = readInstanceId(file);
  if (instanceId === null) {
    lock.release();
    throw new Error(`${file} cannot be read`);
  }
  return { ...lock, instance_id: instanceId };
}

/** The id kept in a lock file, held or not; null when there is none yet. */
export function readInstanceId(file: string): string | null {
  let database;
  try {
    database = new Sqlite(file, { readonly: true, fileMustExist: true });
    return database.prepare<[], string>('SELECT instance_id FROM instance').pluck().get() ?? null;
  } catch {
    return null; // no file, or one from a start that got no further than making it
  } finally {
    database?.close();
  }
}

const endingMark = (file: string): string => `${file}.ending`;

/**
 * Records whether the holder of a lock was asked to end, for those who find it gone and cannot know its exit code. If
 * that fails, its end counts as a crash.
 */
export function markEnding(file: string, isAsked: boolean): void {
  try {
    if (!isAsked) return rmSync(endingMark(file), { force: true });
    createPrivate(endingMark(file));
    writeFileSync(endingMark(file), String(process.pid));
  } catch {
    // A full or read-only disk prevents neither ending nor starting.
  }
}

/**
 * Whether a holder of a lock was asked to end. An old mark that could not be removed says nothing about another holder.
 */
export function isEnding(file: string, pid: number): boolean {
  try {
    const marked = readFileSync(endingMark(file), 'utf8').trim();
    return marked === '' || Number(marked) === pid;
  } catch {
    return false;
  }
}

/**
 * An id of the folder at its present place: it tells a copied data directory, which has the same instance id, from the
 * original.
 */
export function dataDirectoryId(dataDirectory: string): string {
  return createHash('sha256').update(realpathSync(dataDirectory)).digest('hex').slice(0, 16);
}

/** A held file already has its id, and the attempt to lock it reports the holder. */
function nameInstance(file: string): void {
  if (readInstanceId(file) !== null) return;
  const database = new Sqlite(file, { timeout: 1_000 });
  try {
    database.exec(`CREATE TABLE IF NOT EXISTS instance
      (id INTEGER PRIMARY KEY CHECK (id = 1), instance_id TEXT NOT NULL) STRICT`);
    database.prepare('INSERT OR IGNORE INTO instance VALUES (1, ?)').run(randomUUID());
  } finally {
    database.close();
  }
}
