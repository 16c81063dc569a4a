import type { Database } from 'better-sqlite3';

/** Gives a text that is the same only while the file's content is, whichever connection, thread or process writes. */
export type ContentVersion = () => string;

/** Two counters of SQLite itself, a few microseconds a call: rows written by this connection, and commits of the others. */
export function contentVersion(db: Database): ContentVersion {
  const own = db.prepare<[], number>('SELECT total_changes()').pluck();
  const others = db.prepare<[], number>('PRAGMA data_version').pluck();
  return () => `${own.get()}.${others.get()}`;
}
