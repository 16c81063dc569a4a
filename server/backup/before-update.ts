import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { backupParts, type BackupPart } from '../contract/backup.ts';
import { saysDamaged, setAside } from '../db/damaged-file.ts';
import { versionOf } from '../db/migrate.ts';
import { openDatabase, openUnwritable } from '../db/open.ts';
import { createPrivate } from '../db/private-file.ts';
import { replaceFileSync, syncFile } from '../db/replace-file.ts';
import { parts } from './parts.ts';
import { decideRestore, isRestoreDecided, stagedFolder } from './restore.ts';

/** How many migrations each database has had. Written last: its presence means that the copies are complete. */
const versions = z.partialRecord(z.enum(backupParts), z.int());
const versionsName = 'versions.json';

/**
 * Copies the configuration and the state of control as the present program has them, while nothing writes them. Of
 * measurements, which may have gigabytes, only the version is kept: a migration makes a copy of its own. Throws the
 * error of SQLite or the disk.
 */
export function keepBeforeUpdate(directory: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const kept: z.infer<typeof versions> = {};
  for (const name of backupParts.filter((one) => existsSync(join(directory, one)))) {
    try {
      const file = join(directory, name);
      kept[name] = name === 'measurements.db' ? versionIn(file) : copyPart(name, file, join(folder, name));
    } catch (error) {
      if (name === 'orangery.db' || !saysDamaged(error)) throw error;
    }
  }
  replaceFileSync(join(folder, versionsName), JSON.stringify(kept));
}

/** Returns how many migrations it has had. */
function copyPart(name: BackupPart, from: string, to: string): number {
  createPrivate(to); // SQLite writes into an empty file and would make an absent one readable to all
  const source = openUnwritable(from);
  try {
    source.prepare('VACUUM INTO ?').run(to);
  } finally {
    source.close();
  }
  const copy = openDatabase(to);
  try {
    copy.pragma('journal_mode = DELETE');
    if (name === 'control.db') parts[name].scrub(copy, { measurements_from_ms: null }); // commands of then must not act
    return versionOf(copy);
  } finally {
    copy.close();
    syncFile(to);
  }
}

/**
 * Decides that the next start, by the former program, restores each database that the present one has migrated, as a
 * program refuses a newer version. The others stay, with all changes since. May be repeated.
 */
export function decideBeforeUpdate(directory: string, folder: string): void {
  if (isRestoreDecided(directory)) return;
  const kept = keptVersions(folder);
  const staged = stagedFolder(directory);
  rmSync(staged, { recursive: true, force: true });
  mkdirSync(staged, { mode: 0o700 });
  const back = backupParts.filter((name) => {
    const [former, present] = [kept[name], versionNow(join(directory, name))];
    if (former === undefined || former === present) return false;
    if (name === 'measurements.db') return present !== undefined && stageMeasurements(directory, staged, former);
    copyFileSync(join(folder, name), join(staged, name));
    syncFile(join(staged, name));
    return true;
  });
  if (back.length > 0) decideRestore(directory, back, new Date());
  else rmSync(staged, { recursive: true });
}

/**
 * The copy that the migration made; without it or without space, the former program makes a new file and salvages what
 * it can read.
 */
function stageMeasurements(directory: string, folder: string, former: number): boolean {
  const file = join(directory, 'measurements.db');
  const staged = join(folder, 'measurements.db');
  try {
    copyFileSync(`${file}.${former}.bak`, staged);
    syncFile(staged);
    return true;
  } catch {
    rmSync(staged, { force: true });
    setAside(file, new Date());
    return false;
  }
}

function keptVersions(folder: string): z.infer<typeof versions> {
  try {
    return versions.parse(JSON.parse(readFileSync(join(folder, versionsName), 'utf8')));
  } catch {
    return {};
  }
}

function versionIn(file: string): number {
  const db = openUnwritable(file);
  try {
    return versionOf(db);
  } finally {
    db.close();
  }
}

/** undefined when it cannot be read. */
function versionNow(file: string): number | undefined {
  try {
    return versionIn(file);
  } catch {
    return undefined;
  }
}
