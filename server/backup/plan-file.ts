import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { backupPlanSettings, backupResult, type BackupPlanSettings } from '../contract/backup.ts';
import { messageOf } from '../contract/message-of.ts';
import { replaceFileSync } from '../db/replace-file.ts';
import { BackupError } from './backup-error.ts';

/**
 * When backups are made and where they are stored, in a file beside the databases: whoever loses orangery.db must still
 * know where its backups are.
 */
const stored = z.strictObject({
  plan: backupPlanSettings,
  /** Sealed by secret.key. */
  sealed_passphrase: z.string().nullable(),
  last_result: backupResult.nullable(),
});
export type StoredPlan = z.infer<typeof stored>;

/** A backup each night, kept for a fortnight, two months and half a year. */
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
 * The default if there is no plan yet. Throws BackupError plan_unreadable: a damaged plan does not say whether backups
 * are to be encrypted and where they go.
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

/** Throws the system's error. */
export function savePlan(directory: string, plan: StoredPlan): void {
  replaceFileSync(join(directory, fileName), `${JSON.stringify(plan)}\n`);
}

/** The folder of a plan; the one in the data directory is created when missing. */
export function folderOf(directory: string, { folder }: BackupPlanSettings): string {
  if (folder !== null) return folder;
  const own = join(directory, 'backups');
  try {
    mkdirSync(own, { recursive: true, mode: 0o700 });
  } catch {
    // The disk refuses: whatever uses the folder will report it.
  }
  return own;
}
