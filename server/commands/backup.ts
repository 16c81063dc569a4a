import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { SecretBox } from '../auth/secret-box.ts';
import { isEncrypted } from '../backup/archive.ts';
import { BackupError } from '../backup/backup-error.ts';
import { findBackup, installationOf, listBackups, newestGood, saveCheck } from '../backup/folder.ts';
import { checkBackup, makeBackup, newAttempt, newWork } from '../backup/make.ts';
import { folderOf, readPlan } from '../backup/plan-file.ts';
import { withoutDaemon } from '../backup/put-back.ts';
import { decideRestore, finishRestore, stageFormer, stageRestore } from '../backup/restore.ts';
import type { Backup, BackupFault, BackupPart } from '../contract/backup.ts';
import { lockDataDirectory } from '../data-directory.ts';
import { programVersion } from '../version.ts';

interface Asked {
  /** The data directory. */
  directory: string;
  /** Default: the plan's. */
  folder: string | undefined;
  /** The plan's when undefined. */
  passphrase: string | undefined;
}

/** Makes a backup with or without a running service. Throws BackupError. */
export function backUp({ directory, folder, passphrase }: Asked): Promise<Backup> {
  const { plan, sealed_passphrase } = readPlan(directory);
  return makeBackup({
    directory,
    folder: folder === undefined ? folderOf(directory, plan) : resolve(folder),
    reason: 'hand',
    passphrase: passphrase ?? opened(directory, sealed_passphrase),
    measurement_days: plan.measurement_days,
    now_ms: Date.now(),
    program_version: programVersion(),
    attempt: newAttempt(),
  });
}

/** Latest first; only the latest of a folder that holds very many. */
export async function backupsOf(asked: Omit<Asked, 'passphrase'>): Promise<Backup[]> {
  return (await listBackups(placeOf(asked))).backups;
}

/** Rehearses the restore of a file, and stores the result beside it. Throws BackupError. */
export async function check({ directory, passphrase }: Asked, file: string): Promise<void> {
  const path = existing(file);
  const note = async (fault: BackupFault | null): Promise<void> => {
    const id = basename(path).replace(/\.tar\.gz(?:\.age)?$/, '');
    const at = new Date().toISOString();
    if ((await findBackup(dirname(path), id)) !== undefined) await saveCheck(dirname(path), id, { at, fault });
  };
  try {
    const opening = await passphraseFor(path, directory, passphrase);
    await checkBackup({ work: newWork(directory), file: path, passphrase: opening });
    await note(null);
  } catch (error) {
    if (error instanceof BackupError && error.code === 'damaged')
      await note({ code: error.code, message: error.message });
    throw error;
  }
}

/**
 * Restores a backup while the service is stopped; `file` undefined: the latest sound one. Returns what was done, a line
 * each.
 */
export async function restore(
  { directory, folder, passphrase }: Asked,
  asked: { file: string | undefined; history: boolean },
): Promise<string[]> {
  const file = asked.file === undefined ? latest({ directory, folder }) : existing(asked.file);
  const stage = async (): Promise<BackupPart[]> => {
    const opening = await passphraseFor(file, directory, passphrase);
    return stageRestore({ directory, file, passphrase: opening, history: asked.history });
  };
  return [`from ${file}`, ...(await putBack(directory, stage))];
}

/** Like `restore`, with what the last one set aside. */
export function undoLastRestore({ directory }: Pick<Asked, 'directory'>): Promise<string[]> {
  return putBack(directory, () => stageFormer({ directory }));
}

async function putBack(directory: string, stage: () => Promise<BackupPart[]>): Promise<string[]> {
  const release = lockDataDirectory(directory);
  try {
    withoutDaemon(directory, () => undefined); // before work of minutes
    const parts = await stage();
    return withoutDaemon(directory, () => {
      decideRestore(directory, parts, new Date());
      return finishRestore(directory);
    });
  } finally {
    release();
  }
}

function latest(asked: Omit<Asked, 'passphrase'>): string {
  const place = placeOf(asked);
  const found = newestGood(place, installationOf(asked.directory));
  if (found === undefined) {
    throw new BackupError('not_a_backup', `there is no sound backup of this machine in ${place}: name its file`);
  }
  return join(place, found);
}

function placeOf({ directory, folder }: Omit<Asked, 'passphrase'>): string {
  return folder === undefined ? folderOf(directory, readPlan(directory).plan) : resolve(folder);
}

function existing(file: string): string {
  const path = resolve(file);
  if (!existsSync(path)) throw new BackupError('not_a_backup', `there is no file ${path}`);
  return path;
}

async function passphraseFor(file: string, directory: string, typed: string | undefined): Promise<string | null> {
  if (!(await isEncrypted(file))) return null;
  return typed ?? opened(directory, readPlan(directory).sealed_passphrase);
}

function opened(directory: string, sealed: string | null): string | null {
  return sealed === null ? null : new SecretBox(join(directory, 'secret.key')).open(sealed);
}
