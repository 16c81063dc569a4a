import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';

const damaged = '.damaged-';
const salvaged = '.salvaged-';
const companions = ['', '-wal'];

/** True of what SQLite says of a file whose content is broken, whoever holds it and however full the disk is. */
export function saysDamaged(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB';
}

/** Moves a damaged database out of the way, with what was not yet merged into it; returns its new name. Nobody may have it open. */
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

/** Opens what was set aside, for reading, also where its end is missing; null where not even the first page makes sense. */
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

/** Marks a file that was set aside as done with; it is kept for whoever wants to look at it. */
export function markSalvaged(aside: string): void {
  for (const end of companions) {
    if (existsSync(aside + end)) renameSync(aside + end, aside.replace(damaged, salvaged) + end);
  }
}
