import type { Database } from 'better-sqlite3';

const mostFaults = 20; // lines of one file; more tell nobody more

/** What SQLite finds wrong with a file, a line a fault: pages, indexes, checks, rows that refer to nothing. Reads all of it. */
export function integrityFaults(db: Database): string[] {
  const lines = db.prepare<[], string>(`PRAGMA integrity_check(${mostFaults})`).pluck().all();
  const orphans = db.prepare<[], string>('SELECT DISTINCT "table" FROM pragma_foreign_key_check').pluck().all();
  return [...lines.filter((line) => line !== 'ok'), ...orphans.map((table) => `rows of ${table} refer to nothing`)];
}
