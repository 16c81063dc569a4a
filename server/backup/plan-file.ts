import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { backupPlanSettings, backupResult, type BackupPlanSettings } from '../contract/backup.ts';
import { messageOf } from '../contract/message-of.ts';
import { replaceFileSync } from '../db/replace-file.ts';
import { BackupError } from './backup-error.ts';

/** When backups are made and where they lie, beside the databases: who has lost orangery.db must know where its backups are. */
const stored = z.strictObject({
  plan: backupPlanSettings,
  /** Sealed by secret.key. */
  sealed_passphrase: z.string().nullable(),
  last_result: backupResult.nullable(),
});
export type StoredPlan = z.infer<typeof stored>;

/** A backup each night; a fortnight, two months and half a year back. */
export const defaultPlan: StoredPlan = {
  plan: {
    is_enabled: true,
    at_min: 180,
    folder: null,
    measurement_days: 30,
    keep_days: 7,
    keep_weeks: 4,
    keep_months: 6,
  },
  sealed_passphrase: null,
  last_result: null,
};

const fileName = 'backup.json';

/**
 * The default where there is none yet. Throws BackupError plan_unreadable: by a plan that is damaged nobody knows whether backups are to be
 * encrypted and where they go.
 */
export function readPlan(directory: string): StoredPlan {
  const file = join(directory, fileName);
  if (!existsSync(file)) return defaultPlan;
  try {
    return stored.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new BackupError('plan_unreadable', `${file} cannot be read: ${messageOf(cause).slice(0, 200)}`, { cause });
  }
}

/** Throws what the system says. */
export function savePlan(directory: string, plan: StoredPlan): void {
  replaceFileSync(join(directory, fileName), `${JSON.stringify(plan)}\n`);
}

/** The folder of a plan; the one in the data directory is made where it is missing. */
export function folderOf(directory: string, { folder }: BackupPlanSettings): string {
  if (folder !== null) return folder;
  const own = join(directory, 'backups');
  try {
    mkdirSync(own, { recursive: true, mode: 0o700 });
  } catch {
    // a disk that takes nothing: what is to be done in the folder says so
  }
  return own;
}
