import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import { backup, backupId, type Backup } from '../contract/backup.ts';
import { readInstanceId } from '../db/instance-lock.ts';
import { replaceFile } from '../db/replace-file.ts';
import { BackupError } from './backup-error.ts';
import type { Manifest } from './manifest.ts';

const endings = { plain: '.tar.gz', encrypted: '.tar.gz.age' } as const;
/** The description of a backup is a file beside it, so that it goes with it to another machine. */
const besideEnding = '.json';
const beside = z.strictObject(backup.pick({ program_version: true, parts: true, left_out: true, check: true }).shape);
type Beside = z.infer<typeof beside>;

/** If a folder holds more, only the latest are listed. */
const mostListed = 500;

/**
 * First digits of the id that a data directory got with its first daemon; zeros before. Several machines may share a
 * folder of backups.
 */
export function installationOf(directory: string): string {
  return readInstanceId(join(directory, 'daemon.lock'))?.slice(0, 8) ?? '00000000';
}

/** A new name, by the second in which it is made. */
export function nameOf(now: Date, reason: Backup['reason'], installation: string | null): string {
  const second = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').toLowerCase();
  return `orangery-${second}z-${reason}${installation === null ? '' : `-${installation}`}`;
}

export function fileOf(id: string, isEncrypted: boolean): string {
  return `${id}${isEncrypted ? endings.encrypted : endings.plain}`;
}

/**
 * Throws BackupError folder_missing: a folder that people chose is never created, or the disk below its mount point
 * would fill up while its own disk is absent.
 */
export function refuseMissing(folder: string): void {
  if (!isAbsolute(folder) || statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new BackupError('folder_missing', `${folder} is not there: is its disk plugged in?`);
  }
}

interface Listed {
  /** Latest first. */
  backups: Backup[];
  /** How many older ones were not listed. */
  omitted: number;
}

/** The backups in a folder, optionally of one installation. Rejects with the system's error about the folder. */
export async function listBackups(folder: string, installation?: string): Promise<Listed> {
  const named = namedIn(await readdir(folder)).filter(
    (one) => installation === undefined || one.installation === installation,
  );
  const found = await Promise.all(named.slice(0, mostListed).map((one) => describe(folder, one)));
  return {
    backups: found.filter((one) => one !== undefined),
    omitted: Math.max(0, named.length - mostListed),
  };
}

/**
 * When the latest was made by its name, epoch ms; null when there is none. Opens no file, as this is called every
 * minute. Rejects with the system's error about the folder.
 */
export async function lastMade(
  folder: string,
  of: { installation: string; reason: Backup['reason']; until_ms: number },
): Promise<number | null> {
  const made = namedIn(await readdir(folder))
    .filter(({ installation, reason }) => installation === of.installation && reason === of.reason)
    .map(({ created_at }) => Date.parse(created_at));
  return made.find((atMs) => atMs <= of.until_ms) ?? null;
}

/**
 * The latest sound backup, synchronously, for a start that fails: of this installation or, if it has none there, of the
 * only other one that has. undefined when there is none, no folder, or the owner is ambiguous.
 */
export function newestGood(folder: string, installation: string): string | undefined {
  const named = existsSync(folder) ? namedIn(readdirSync(folder)) : [];
  const own = named.filter((one) => one.installation === installation);
  const choice = own.length > 0 ? own : named;
  if (new Set(choice.map((one) => one.installation)).size > 1) return undefined;
  return choice.slice(0, mostListed).find(({ backup_id }) => {
    const { check } = besideOf(textOf(besideFile(folder, backup_id)));
    return check !== null && check.fault === null;
  })?.file;
}

/** `id` in lower case. */
export async function findBackup(folder: string, id: string): Promise<Backup | undefined> {
  for (const ending of Object.values(endings)) {
    const named = nameIn(`${id}${ending}`);
    const found = named && (await describe(folder, named));
    if (found !== undefined) return found;
  }
  return undefined;
}

export async function saveBeside(folder: string, id: string, said: Beside): Promise<void> {
  await replaceFile(besideFile(folder, id), `${JSON.stringify(said)}\n`);
}

export async function saveCheck(folder: string, id: string, check: Backup['check']): Promise<void> {
  await saveBeside(folder, id, { ...(await readBeside(folder, id)), check });
}

/**
 * Renames a sound file from elsewhere, already on the folder's disk, to a backup's name by its own manifest, but as one
 * made by hand, so that no plan deletes it. `installation` is null when its origin is unknown. Throws BackupError
 * already_there.
 */
export async function takeIn(
  folder: string,
  { file, is_encrypted, manifest, installation, at }: Taken,
): Promise<Backup> {
  const { created_at, reason, program_version, left_out } = manifest;
  const id = nameOf(new Date(created_at), 'hand', installation);
  for (const present of [id, nameOf(new Date(created_at), reason, installation)]) {
    if ((await findBackup(folder, present)) !== undefined) {
      throw new BackupError('already_there', `${present} lies in the folder already`);
    }
  }
  const parts = manifest.parts.map(({ name }) => name);
  await sync(file); // it is listed as sound
  await rename(file, join(folder, fileOf(id, is_encrypted)));
  await saveBeside(folder, id, { program_version, left_out, parts, check: { at, fault: null } });
  const made = await findBackup(folder, id);
  if (made === undefined) throw new BackupError('folder_missing', `${folder} went away while the backup was taken in`);
  return made;
}

/** Resolves when a file is on disk. */
async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

interface Taken extends Pick<Backup, 'installation' | 'is_encrypted'> {
  /** The full path. */
  file: string;
  manifest: Manifest;
  /** When it was checked, ISO 8601. */
  at: string;
}

/** The installation that made a backup, by its file name; null when the name does not say. */
export function installationIn(fileName: string): string | null {
  return /orangery-\d{8}t\d{6}z-[a-z]+-([\da-f]{8})/.exec(fileName)?.[1] ?? null;
}

export async function removeBackup(
  folder: string,
  { backup_id, file }: Pick<Backup, 'backup_id' | 'file'>,
): Promise<void> {
  await rm(join(folder, file), { force: true });
  await rm(besideFile(folder, backup_id), { force: true });
}

type Named = Pick<Backup, 'backup_id' | 'file' | 'created_at' | 'reason' | 'installation' | 'is_encrypted'>;

/** The parts of a file name; undefined for other names. */
function nameIn(file: string): Named | undefined {
  const ending = Object.values(endings).find((one) => file.endsWith(one));
  const backup_id = ending && file.slice(0, -ending.length);
  if (backup_id === undefined || !backupId.safeParse(backup_id).success) return undefined;
  const [, time = '', reason, installation = null] = /^orangery-(\w+)z-([a-z]+)(?:-(\w+))?$/.exec(backup_id) ?? [];
  const created_at = time.replace(/(\d{4})(\d\d)(\d\d)t(\d\d)(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:$6.000Z');
  if (Number.isNaN(Date.parse(created_at))) return undefined;
  return {
    backup_id,
    file,
    created_at,
    installation,
    reason: reason === 'hand' ? 'hand' : 'schedule',
    is_encrypted: ending === endings.encrypted,
  };
}

/** The files whose names are those of backups, latest first. */
export function namedIn(files: readonly string[]): Named[] {
  return files
    .flatMap((file) => nameIn(file) ?? [])
    .sort((a, b) => b.created_at.localeCompare(a.created_at) || b.backup_id.localeCompare(a.backup_id));
}

/** undefined when it no longer exists. */
async function describe(folder: string, named: Named): Promise<Backup | undefined> {
  const [stats, said] = await Promise.all([
    stat(join(folder, named.file)).catch(() => undefined),
    readBeside(folder, named.backup_id),
  ]);
  return stats && { ...named, bytes: Math.min(stats.size, 1_000_000_000), ...said };
}

async function readBeside(folder: string, id: string): Promise<Beside> {
  return besideOf(await readFile(besideFile(folder, id), 'utf8').catch(() => ''));
}

/** A missing or damaged file counts as an empty description. */
function besideOf(text: string): Beside {
  try {
    return beside.parse(JSON.parse(text));
  } catch {
    return { program_version: null, parts: [], left_out: [], check: null };
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function besideFile(folder: string, id: string): string {
  return join(folder, besideName(id));
}

/** Name of the description file beside a backup. */
export function besideName(id: string): string {
  return `${id}${besideEnding}`;
}
