import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { codeOf } from '../contract/code-of.ts';

const damaged = '.damaged-';
const salvaged = '.salvaged-';
const companions = ['', '-wal'];

/** Whether SQLite's error means broken content, whoever holds the file and however full the disk is. */
export function saysDamaged(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
}

/**
 * Moves a damaged database away, with what was not yet merged into it; returns its new name. It must not be open
 * anywhere.
 */
export function setAside(file: string, now: Date): string {
  const aside = `${file}${damaged}${now.toISOString().replaceAll(':', '-')}`;
  rmSync(`${file}-shm`, { force: true });
  for (const end of companions) if (existsSync(file + end)) renameSync(file + end, aside + end);
  return aside;
}

/** Files that were set aside and whose readable part is not yet in the new one. */
export function setAsideFiles(file: string): string[] {
  const start = `${basename(file)}${damaged}`;
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(start) && !/-(wal|shm)$/.test(name))
    .map((name) => join(dirname(file), name));
}

/**
 * Opens a file that was set aside, read-only, even if it is truncated; null when not even its first page is readable.
 */
export function openDamaged(aside: string): Database | null {
  try {
    const source = new Sqlite(aside, { fileMustExist: true });
    source.unsafeMode(); // without it SQLite refuses the next line,
    source.pragma('writable_schema = ON'); // and without that one a file that is shorter than it says
    source.prepare('SELECT 1 FROM sqlite_schema').get();
    return source;
  } catch {
    return null;
  }
}

/** Marks a file that was set aside as done; it is kept for people to examine. */
export function markSalvaged(aside: string): void {
  for (const end of companions) {
    if (existsSync(aside + end)) renameSync(aside + end, aside.replace(damaged, salvaged) + end);
  }
}
