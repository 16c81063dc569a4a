import { rmSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { saysDamaged } from '../db/damaged-file.ts';
import { createPrivate } from '../db/private-file.ts';

const schemaVersion = 1;
const schema = `
  CREATE TABLE IF NOT EXISTS entry (
    key TEXT PRIMARY KEY,
    type TEXT NOT NULL,
    etag TEXT NOT NULL,
    body BLOB NOT NULL,
    stored_at_ms INTEGER NOT NULL,
    used_at_ms INTEGER NOT NULL,
    delete_at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS entry_used ON entry (used_at_ms);
  CREATE INDEX IF NOT EXISTS entry_delete ON entry (delete_at_ms);
  PRAGMA user_version = ${schemaVersion};`;

/** A file of another version of the program. */
class OtherVersionError extends Error {}

/**
 * Opens the file of a cache; one that is damaged or of another version is replaced, and if the disk refuses, it is in
 * memory.
 */
export function openCacheFile(file: string): Sqlite.Database {
  try {
    return opened(file);
  } catch (error) {
    if (!saysDamaged(error) && !(error instanceof OtherVersionError)) return opened(':memory:');
  }
  try {
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
    return opened(file);
  } catch {
    return opened(':memory:');
  }
}

function opened(file: string): Sqlite.Database {
  createPrivate(file);
  const db = new Sqlite(file);
  try {
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = OFF'); // what a power cut damages is asked for again
    const version = db.pragma('user_version', { simple: true });
    if (version !== 0 && version !== schemaVersion) throw new OtherVersionError();
    db.exec(schema);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
