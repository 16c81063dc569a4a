import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { backupTarget, mostBackupTargets } from '../contract/backup-target.ts';
import { messageOf } from '../contract/message-of.ts';
import { replaceFileSync } from '../db/replace-file.ts';
import { BackupError } from './backup-error.ts';

/**
 * Where copies go, beside the plan and for the same reason: whoever loses orangery.db must still know where its backups
 * are.
 */
const stored = z.strictObject({
  targets: z
    .array(
      z.strictObject({
        ...backupTarget.omit({ secret: true, next_try_at: true, clean_up_fault: true }).shape,
        /** Sealed by secret.key. */
        sealed_secret: z.string().nullable(),
      }),
    )
    .max(mostBackupTargets),
});
export type StoredTarget = z.infer<typeof stored>['targets'][number];

const fileName = 'backup-targets.json';

/** Empty if there is no file yet. Throws BackupError plan_unreadable. */
export function readTargets(directory: string): StoredTarget[] {
  const file = join(directory, fileName);
  if (!existsSync(file)) return [];
  try {
    return stored.parse(JSON.parse(readFileSync(file, 'utf8'))).targets;
  } catch (cause) {
    throw new BackupError('plan_unreadable', `${file} cannot be read: ${messageOf(cause).slice(0, 200)}`, { cause });
  }
}

/** Throws the system's error. */
export function saveTargets(directory: string, targets: readonly StoredTarget[]): void {
  replaceFileSync(join(directory, fileName), `${JSON.stringify({ targets })}\n`);
}
