import type { Database } from 'better-sqlite3';

/**
 * Runs work as one write transaction: all of it is stored, or on a throw nothing. Inside another one it becomes part of
 * it.
 */
export type Transact = <T>(work: () => T) => T;

/**
 * Takes the write lock at the start: a transaction that reads first and writes later can fail whatever its time-out.
 */
export function transactor(db: Database): Transact {
  return (work) => db.transaction(work).immediate();
}

/** Runs reads that must see one state of the file, whoever writes meanwhile. */
export function readTogether<T>(db: Database, work: () => T): T {
  return db.transaction(work).deferred();
}
