import type { Database } from 'better-sqlite3';

/** Gives a text that is the same only while the file's content is, whichever connection, thread or process writes. */
export type ContentVersion = () => string;

/** Gives a number that changes when another connection has committed to the file. Reads no page of it. */
export type OtherCommits = () => number;

/** About 10 µs a call, for SQLite asks the system for locks. */
export function otherCommits(db: Database): OtherCommits {
  const statement = db.prepare<[], number>('PRAGMA data_version').pluck();
  return () => statement.get() ?? 0;
}

/**
 * Asks once for all that is done in one turn of the event loop. What another connection commits meanwhile is seen at the next turn:
 * whoever was told of that commit can ask no earlier.
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
