import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backupParts, type Backup } from '../contract/backup.ts';
import { pack } from './archive.ts';
import { BackupError } from './backup-error.ts';
import { fileOf, findBackup, installationOf, nameOf, refuseMissing, saveBeside } from './folder.ts';
import { manifestName, type Manifest } from './manifest.ts';
import { rehearse } from './rehearse.ts';
import { isOrphan } from '../db/replace-file.ts';
import { removed } from './removed.ts';
import { snapshot } from './snapshot.ts';

export interface BackupAsked {
  /** The data directory. */
  directory: string;
  /** Folder of the backups; must exist. */
  folder: string;
  reason: Backup['reason'];
  passphrase: string | null;
  /** Days of samples and minute averages; null for all. */
  measurement_days: number | null;
  /** Epoch ms. */
  now_ms: number;
  program_version: string;
  /** From `newAttempt`: two attempts within one second work in separate places. */
  attempt: string;
}

const dayMs = 24 * 3_600_000;
const workPrefix = 'backup-work-';
const partialEnding = '.partial';
/** A partial file that was not written to for this long is dead: its program was killed. */
const deadAfterMs = 2 * 3_600_000;

/** Where a backup is made, under names chosen beforehand, so that whoever terminates its thread can clean up. */
export interface Workplace {
  /** In the data directory. */
  work: string;
  backup_id: string;
  /** In the folder of the backups, until it is renamed. */
  partial: string;
}

/** Random digits that name the workplace of one backup. */
export function newAttempt(): string {
  return randomBytes(6).toString('hex');
}

export function workplaceOf({ directory, folder, reason, now_ms, passphrase, attempt }: BackupAsked): Workplace {
  const backup_id = nameOf(new Date(now_ms), reason, installationOf(directory));
  const partial = join(folder, `${fileOf(backup_id, passphrase !== null)}.${attempt}${partialEnding}`);
  return { work: join(directory, `${workPrefix}${backup_id}-${attempt}`), backup_id, partial };
}

/** Removes what an unfinished backup left: plain-text copies, and a partial archive. */
export function clearWorkplace({ work, partial }: Workplace): void {
  rmSync(work, { recursive: true, force: true });
  rmSync(partial, { force: true });
}

/**
 * Makes a backup, and restores it into a scratch folder before it gets its name: whatever has the name of a backup was
 * sound when it was made. Throws BackupError, or the error of the disk or SQLite; then nothing is left.
 */
export async function makeBackup(asked: BackupAsked): Promise<Backup> {
  const { directory, folder, passphrase, now_ms } = asked;
  refuseMissing(folder);
  refuseWithoutRoom(asked);
  clearDead(folder, installationOf(directory));
  const place = workplaceOf(asked);
  const { work, backup_id, partial } = place;
  mkdirSync(work, { mode: 0o700 });
  try {
    const manifest = await packDatabases({ ...asked, work, file: partial });
    const checked = await rehearsed({ file: partial, work, passphrase });
    if (checked.parts.length !== manifest.parts.length) throw new BackupError('damaged', 'the backup lacks a database');
    renameSync(partial, join(folder, fileOf(backup_id, passphrase !== null)));
    const { program_version, parts, left_out } = manifest;
    const check = { at: new Date(now_ms).toISOString(), fault: null };
    await saveBeside(folder, backup_id, { program_version, left_out, check, parts: parts.map(({ name }) => name) });
  } finally {
    clearWorkplace(place);
  }
  const made = await findBackup(folder, backup_id);
  if (made === undefined) throw new BackupError('folder_missing', `${folder} went away while the backup was written`);
  return made;
}

/**
 * Restores a backup into a scratch folder that is deleted again. Returns its manifest; throws BackupError for whatever
 * would fail.
 */
export async function checkBackup({ work, ...asked }: CheckAsked): Promise<Manifest> {
  mkdirSync(work, { mode: 0o700 });
  try {
    return await rehearsed({ ...asked, work });
  } finally {
    clearCheck({ work });
  }
}

interface CheckAsked {
  file: string;
  passphrase: string | null;
  /** From `newWork`; whoever terminates the thread can remove it. */
  work: string;
}

/** A name for the scratch folder of a check. */
export function newWork(directory: string): string {
  return join(directory, `${workPrefix}${randomUUID()}`);
}

export function clearCheck({ work }: Pick<CheckAsked, 'work'>): void {
  rmSync(work, { recursive: true, force: true });
}

/** Removes partial archives of this installation whose program was killed; if that fails, the next time. */
function clearDead(folder: string, installation: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.endsWith(partialEnding) || !name.includes(`-${installation}.`)) continue;
    const modifiedMs = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - modifiedMs > deadAfterMs) rmSync(join(folder, name), { force: true });
  }
}

/**
 * Removes what a killed program left, while no other works in the data directory. Returns a line for each thing that
 * stays.
 */
export function clearWork(directory: string): string[] {
  const left = readdirSync(directory).filter((name) => name.startsWith(workPrefix) || isOrphan(name));
  return left.flatMap((name) => removed(join(directory, name)));
}

interface Packing extends BackupAsked {
  work: string;
  file: string;
}

async function packDatabases({ work, file, ...asked }: Packing): Promise<Manifest> {
  const { directory, reason, passphrase, measurement_days, now_ms, program_version } = asked;
  const folder = join(work, 'copies');
  mkdirSync(folder, { mode: 0o700 });
  const measurementsFromMs = measurement_days === null ? null : now_ms - measurement_days * dayMs;
  const taken = await snapshot({ directory, folder, measurements_from_ms: measurementsFromMs });
  const created_at = new Date(now_ms).toISOString();
  const manifest: Manifest = { format: 1, created_at, reason, program_version, ...taken };
  writeFileSync(join(folder, manifestName), JSON.stringify(manifest), { mode: 0o600 });
  await pack({ folder, file, passphrase, names: [manifestName, ...taken.parts.map(({ name }) => name)] });
  rmSync(folder, { recursive: true, force: true });
  return manifest;
}

function rehearsed({ work, ...asked }: { file: string; work: string; passphrase: string | null }): Promise<Manifest> {
  const folder = join(work, 'rehearsal');
  mkdirSync(folder, { mode: 0o700 });
  return rehearse({ ...asked, folder, mostBytes: spareBytes(work) });
}

/**
 * Throws BackupError disk_full before anything is written. The data directory needs the copies of the databases, plus
 * the largest once more while it is compacted, or all of them once more for an archive on the same disk, which is no
 * larger; a reserve remains for measurements made meanwhile. Another disk needs only the archive.
 */
export function refuseWithoutRoom(
  { directory, folder }: Pick<BackupAsked, 'directory' | 'folder'>,
  freeOn: (path: string) => number = freeBytes,
): void {
  const bytes = backupParts
    .flatMap((name) => [name, `${name}-wal`])
    .reduce((sum, name) => sum + (statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0), 0);
  const needs: [place: string, bytes: number][] = [[directory, 2 * bytes + reservedBytes]];
  if (statSync(folder).dev !== statSync(directory).dev) needs.push([folder, bytes]);
  for (const [place, needed] of needs) {
    const free = freeOn(place);
    if (free >= needed) continue;
    const text = `${place} has ${megabytes(free)} MB free, and ${megabytes(needed)} MB are needed`;
    throw new BackupError('disk_full', text);
  }
}

/** What backups and restores leave free on the disk that measurements are written to. */
const reservedBytes = 100_000_000;

/** How much unpacking may use on the disk of a path. */
export function spareBytes(path: string): number {
  return Math.max(0, freeBytes(path) - reservedBytes);
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0);
