import type { Database } from 'better-sqlite3';

/**
 * Runs a write that may be left out: while another connection writes, e.g. the map worker for seconds, waiting for its lock
 * would hold up every request of this thread.
 */
export function unlessBusy(db: Database, write: () => void): void {
  const patience_ms = Number(db.pragma('busy_timeout', { simple: true }));
  db.pragma('busy_timeout = 0');
  try {
    write();
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'SQLITE_BUSY') throw error; // errors of the driver have a code
  } finally {
    db.pragma(`busy_timeout = ${patience_ms}`);
  }
}
