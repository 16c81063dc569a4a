import type { Database } from 'better-sqlite3';

/**
 * Returns a text that stays the same only while the file's content does, whichever connection, thread or process
 * writes.
 */
export type ContentVersion = () => string;

/** Returns a number that changes when another connection has committed to the file. Reads no page of it. */
export type OtherCommits = () => number;

/** About 10 µs a call, as SQLite asks the system for locks. */
export function otherCommits(db: Database): OtherCommits {
  const statement = db.prepare<[], number>('PRAGMA data_version').pluck();
  return () => statement.get() ?? 0;
}

/**
 * Asks once for everything in one turn of the event loop. A commit of another connection meanwhile is seen in the next
 * turn: whoever hears of that commit cannot ask earlier.
 */
export function oncePerTurn(read: OtherCommits): OtherCommits {
  let known: number | undefined;
  return () => {
    if (known === undefined) {
      known = read();
      setImmediate(() => (known = undefined));
    }
    return known;
  };
}

/** Two counters of SQLite itself: rows written by this connection, and commits of the others. */
export function contentVersion(db: Database, others: OtherCommits = otherCommits(db)): ContentVersion {
  const own = db.prepare<[], number>('SELECT total_changes()').pluck();
  return () => `${own.get()}.${others()}`;
}
