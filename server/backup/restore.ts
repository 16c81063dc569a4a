import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { backupParts, type BackupPart } from '../contract/backup.ts';
import { integrityFaults } from '../db/integrity.ts';
import { openDatabase, openUnwritable } from '../db/open.ts';
import { replaceFileSync } from '../db/replace-file.ts';
import { salvageTables } from '../db/salvage.ts';
import { settleMaps } from '../db/settle-maps.ts';
import { BackupError } from './backup-error.ts';
import { carryOver } from './carry-over.ts';
import { spareBytes } from './make.ts';
import { rehearse } from './rehearse.ts';
import { removed } from './removed.ts';
import { snapshot } from './snapshot.ts';

export interface Staging {
  /** The data directory. */
  directory: string;
  /** Path of the backup. */
  file: string;
  passphrase: string | null;
  /** Also restores alarms, checks and measurements; otherwise only if the present ones cannot be read. */
  history: boolean;
}

interface Former {
  /** In the data directory. */
  folder: string;
  /** When the restore was decided, ISO 8601. */
  at: string;
  parts: BackupPart[];
}

/** What to put in place at the next start; a restore is decided once this file exists. */
const decided = z.strictObject({
  parts: z.array(z.enum(backupParts)).min(1),
  /** Folder for the replaced files. */
  aside: z.string().regex(/^before-restore-[\w-]+$/),
});
type Decided = z.infer<typeof decided>;

const decidedName = 'restore.json';
const stagedName = 'restore.staged';
const asidePrefix = 'before-restore-';
/** What the restore before the last one replaced is deleted. */
const asideKept = 2;
const companions = ['', '-wal', '-shm'];

/**
 * Unpacks and checks a backup beside the present databases. Returns the parts to restore, for `decideRestore`. Throws
 * BackupError; then nothing is left.
 */
export async function stageRestore({ directory, file, passphrase, history }: Staging): Promise<BackupPart[]> {
  return staged(directory, async (folder) => {
    const { parts } = await rehearse({ file, folder, passphrase, mostBytes: spareBytes(directory) });
    const wanted = parts
      .map(({ name }) => name)
      .filter((name) => name === 'orangery.db' || history || !isSound(join(directory, name)));
    if (!wanted.includes('orangery.db')) throw new BackupError('not_a_backup', 'the backup holds no configuration');
    return wanted;
  });
}

/**
 * What the last restore set aside: when, and which databases. null when it set no configuration aside, or that is gone.
 */
export function formerOf(directory: string): Former | null {
  const folder = asidesIn(directory).at(-1);
  if (folder === undefined || !existsSync(join(directory, folder, 'orangery.db'))) return null;
  const at = folder.slice(asidePrefix.length).replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/, 'T$1:$2:$3.$4Z');
  return { folder, at, parts: backupParts.filter((name) => existsSync(join(directory, folder, name))) };
}

/**
 * Like `stageRestore`, with what the last restore set aside: copied as for a backup, so that neither sessions nor old
 * commands come back. Throws BackupError; what was set aside stays in any case.
 */
export async function stageFormer({ directory }: Pick<Staging, 'directory'>): Promise<BackupPart[]> {
  const former = formerOf(directory);
  if (former === null) throw new BackupError('not_a_backup', 'there is nothing that a restore has put aside');
  const from = join(directory, former.folder);
  return staged(directory, async (folder) => {
    const bytes = former.parts.reduce((sum, name) => sum + statSync(join(from, name)).size, 0);
    if (2 * bytes > spareBytes(directory)) {
      throw new BackupError('disk_full', `${(bytes / 5e5).toFixed(0)} MB are needed on the disk`);
    }
    const { parts, left_out } = await snapshot({ directory: from, folder, measurements_from_ms: null });
    const [lost] = left_out;
    const damaged = parts.map(({ name }) => name).find((name) => !isSound(join(folder, name)));
    if (lost !== undefined) throw new BackupError('database_unreadable', lost.message);
    if (damaged !== undefined) throw new BackupError('database_unreadable', `${damaged} is damaged`);
    return parts.map(({ name }) => name);
  });
}

/** Fills the folder of files to put in place; on failure nothing is left. */
async function staged(directory: string, fill: (folder: string) => Promise<BackupPart[]>): Promise<BackupPart[]> {
  const folder = join(directory, stagedName);
  abandonRestore(directory);
  mkdirSync(folder, { mode: 0o700 });
  try {
    return await fill(folder);
  } catch (error) {
    abandonRestore(directory);
    throw error;
  }
}

/** Decides that `finishRestore` replaces the present files with the staged ones. Throws the disk's error. */
export function decideRestore(directory: string, parts: BackupPart[], now: Date): void {
  const aside = `${asidePrefix}${now.toISOString().replaceAll(/[:.]/g, '-')}`;
  replaceFileSync(join(directory, decidedName), JSON.stringify({ parts, aside } satisfies Decided));
}

/** Folder of the staged files. */
export function stagedFolder(directory: string): string {
  return join(directory, stagedName);
}

/**
 * Like `abandonRestore`, for a start, which must not fail because a folder cannot be removed. Returns a line for what
 * stays.
 */
export function tidyRestore(directory: string): string[] {
  return [join(directory, decidedName), join(directory, stagedName)].flatMap(removed);
}

/** Removes what was staged for a restore that was not decided or cannot be completed. Throws the disk's error. */
export function abandonRestore(directory: string): void {
  rmSync(join(directory, decidedName), { force: true });
  rmSync(join(directory, stagedName), { recursive: true, force: true });
}

export function isRestoreDecided(directory: string): boolean {
  return existsSync(join(directory, decidedName));
}

/**
 * Completes the restore that was decided; call it while neither a service nor a daemon runs. If a program dies during
 * it, the next call continues. Returns a line for each thing done, and for what could not be tidied away; replaced
 * files are in a folder before-restore-.... Throws the disk's error while the restore is still decided, never once it
 * is done.
 */
export function finishRestore(directory: string): string[] {
  const file = join(directory, decidedName);
  if (!existsSync(file)) {
    rmSync(join(directory, stagedName), { recursive: true, force: true });
    return [];
  }
  const { parts, aside } = decided.parse(JSON.parse(readFileSync(file, 'utf8')));
  mkdirSync(join(directory, aside), { recursive: true, mode: 0o700 });
  const left = parts.map((name) => placesOf(name, { directory, aside })).filter(({ staged }) => existsSync(staged)); // the others are in place already, by a program that died then
  const lines = left.flatMap(prepare);
  for (const places of left) putInPlace(places);
  rmSync(file);
  return [...lines, ...removed(join(directory, stagedName)), ...removeOld(directory)];
}

/**
 * Puts the former files back when `finishRestore` could not end; then nothing is decided any more. An unreadable
 * decision is dropped, so that it cannot keep the service from starting. Returns a line for what could not be tidied
 * away. Throws the disk's error.
 */
export function undoRestore(directory: string): string[] {
  const { parts, aside } = readDecided(directory) ?? { parts: [], aside: '' };
  for (const { staged, present, former } of parts.map((name) => placesOf(name, { directory, aside }))) {
    const isReplaced = !existsSync(staged) && isFile(former);
    for (const end of companions) {
      if (isReplaced) rmSync(present + end, { force: true });
      if (isFile(former + end)) renameSync(former + end, present + end);
    }
  }
  // While the decision stays, the next start tries again; staged files may stay.
  rmSync(join(directory, decidedName), { force: true });
  return tidyRestore(directory);
}

function readDecided(directory: string): Decided | undefined {
  try {
    return decided.parse(JSON.parse(readFileSync(join(directory, decidedName), 'utf8')));
  } catch {
    return undefined;
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

interface Places {
  name: BackupPart;
  staged: string;
  present: string;
  /** Where the present file goes. */
  former: string;
}

function placesOf(name: BackupPart, { directory, aside }: { directory: string; aside: string }): Places {
  return {
    name,
    staged: join(directory, stagedName, name),
    present: join(directory, name),
    former: join(directory, aside, name),
  };
}

/** Carries over what must be kept of the replaced database; may be repeated. */
function prepare({ name, staged, present, former }: Places): string[] {
  const goes = existsSync(former) ? former : present;
  const line = `${name} is that of the backup${existsSync(goes) ? `; what was there is ${former}` : ''}`;
  if (name === 'control.db') keepEmergencyStop(goes, staged);
  if (name !== 'orangery.db') return [line];
  const isCarried = isSound(goes);
  carryOver(isCarried ? goes : null, staged);
  return isCarried || !existsSync(goes) ? [line] : [line, ...salvageInto(staged, goes)];
}

function putInPlace({ staged, present, former }: Places): void {
  for (const end of companions) if (existsSync(present + end)) renameSync(present + end, former + end);
  renameSync(staged, present);
}

/** Salvages from a damaged file what was made since the backup. */
function salvageInto(staged: string, damaged: string): string[] {
  const db = openDatabase(staged);
  try {
    const found = salvageTables(damaged, db, settleMaps).filter(({ rows }) => rows > 0);
    db.exec('DELETE FROM sessions');
    db.pragma('journal_mode = DELETE');
    return found.map(({ table, rows }) => `${table}: ${rows} rows that were made since, saved from the damaged file`);
  } finally {
    db.close();
  }
}

function isSound(file: string): boolean {
  try {
    const db = openUnwritable(file);
    try {
      return integrityFaults(db).length === 0;
    } finally {
      db.close();
    }
  } catch {
    return false;
  }
}

/** A restore lifts no emergency stop. */
function keepEmergencyStop(goes: string, comes: string): void {
  if (!isSound(goes)) return;
  const staged = openDatabase(comes);
  try {
    staged.prepare('ATTACH ? AS present').run(goes);
    // The replaced database may be of a newer version.
    const columns = staged
      .prepare(
        `SELECT group_concat(name) FROM pragma_table_info('emergency_stop', 'main')
        WHERE name IN (SELECT name FROM pragma_table_info('emergency_stop', 'present'))`,
      )
      .pluck()
      .get() as string | null;
    if (columns !== null) {
      staged.exec(
        `INSERT OR REPLACE INTO main.emergency_stop (${columns}) SELECT ${columns} FROM present.emergency_stop`,
      );
    }
    staged.exec('DETACH present');
    staged.pragma('journal_mode = DELETE');
  } finally {
    staged.close();
  }
}

function removeOld(directory: string): string[] {
  const old = asidesIn(directory).slice(0, -asideKept);
  return old.flatMap((name) => removed(join(directory, name)));
}

/** Latest last. */
function asidesIn(directory: string): string[] {
  return namesIn(directory).filter((name) => name.startsWith(asidePrefix)).sort(); // prettier-ignore
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return []; // they are removed after the next restore
  }
}
