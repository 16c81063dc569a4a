import type { Database } from 'better-sqlite3';

const mostFaults = 20; // lines of one file; more tell nobody more

/** The faults that SQLite finds in a file, one a line: pages, indexes, checks, dangling references. Reads all of it. */
export function integrityFaults(db: Database): string[] {
  const lines = db.prepare<[], string>(`PRAGMA integrity_check(${mostFaults})`).pluck().all();
  const orphans = db.prepare<[], string>('SELECT DISTINCT "table" FROM pragma_foreign_key_check').pluck().all();
  return [...lines.filter((line) => line !== 'ok'), ...orphans.map((table) => `rows of ${table} refer to nothing`)];
}
