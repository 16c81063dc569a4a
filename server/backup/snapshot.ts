import { existsSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { backupParts, type BackupPart } from '../contract/backup.ts';
import { messageOf } from '../contract/message-of.ts';
import { saysDamaged } from '../db/damaged-file.ts';
import { versionOf } from '../db/migrate.ts';
import { openDatabase, openUnwritable, type Database } from '../db/open.ts';
import { createPrivate } from '../db/private-file.ts';
import { BackupError } from './backup-error.ts';
import { digestOf, type Manifest } from './manifest.ts';
import { parts, type Trimming } from './parts.ts';

interface Snapshot extends Trimming {
  /** The data directory. */
  directory: string;
  /** Folder for the copies; empty. */
  folder: string;
}

/**
 * Copies each database as it is at one moment, WAL included, while others write it, and removes what a backup must not
 * hold. A damaged control.db or measurements.db is left out and reported; throws the SQLite error about orangery.db.
 */
export async function snapshot({
  directory,
  folder,
  ...trimming
}: Snapshot): Promise<Pick<Manifest, 'parts' | 'left_out'>> {
  const taken: Manifest['parts'] = [];
  const left_out: Manifest['left_out'] = [];
  for (const name of backupParts) {
    const copy = join(folder, name);
    try {
      if (name === 'orangery.db') refuseLost(join(directory, name));
      if (!existsSync(join(directory, name))) continue;
      const version = copyPart(name, { from: join(directory, name), copy, trimming });
      taken.push({ name, bytes: statSync(copy).size, sha256: await digestOf(copy), version });
    } catch (error) {
      if (name === 'orangery.db' || !saysDamaged(error)) throw error;
      left_out.push({ part: name, message: messageOf(error).slice(0, 500) });
    }
  }
  return { parts: taken, left_out };
}

/** A backup without configuration would count as the newest sound one. Throws BackupError. */
function refuseLost(file: string): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0)
    throw new BackupError(
      'database_unreadable',
      'there is no configuration to back up: orangery.db is missing or empty',
    );
}

/** Returns how many migrations the copy has had. */
function copyPart(
  name: BackupPart,
  { from, copy, trimming }: { from: string; copy: string; trimming: Trimming },
): number {
  const { migrations, scrub } = parts[name];
  const source = openUnwritable(from);
  try {
    createPrivate(copy); // SQLite writes into an empty file and would make an absent one readable to all
    source.prepare('VACUUM INTO ?').run(copy);
  } finally {
    source.close();
  }
  const db = openDatabase(copy, { migrations });
  try {
    db.pragma('journal_mode = OFF'); // one file with nothing beside it; what fails here is thrown away
    db.pragma('secure_delete = ON'); // what is taken out must not be in free pages
    scrub(db, trimming);
    compact(db, copy);
    return versionOf(db);
  } finally {
    db.close();
  }
}

/**
 * Frees the space of what was removed, which the archive would carry. A plain VACUUM would need space for the file
 * twice more.
 */
function compact(db: Database, file: string): void {
  if (!(Number(db.pragma('freelist_count', { simple: true })) > 0)) return;
  const compacted = `${file}.compacted`;
  createPrivate(compacted);
  db.prepare('VACUUM INTO ?').run(compacted);
  renameSync(compacted, file); // the connection has the former one until it is closed
}
