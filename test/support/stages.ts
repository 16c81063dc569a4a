import { hash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { install } from '../../electron/updates/install.ts';
import { SecretBox } from '../../server/auth/secret-box.ts';
import { findBackup, listBackups, takeIn } from '../../server/backup/folder.ts';
import { checkBackup, makeBackup, newAttempt, newWork } from '../../server/backup/make.ts';
import { putBack } from '../../server/backup/put-back.ts';
import { decideRestore, stageFormer, stageRestore } from '../../server/backup/restore.ts';
import { openDatabases } from '../../server/databases.ts';
import { keepSecretFile } from '../../server/db/secret-file.ts';
import { openCertificates } from '../../server/tls/certificates.ts';
import type { BackupPart } from '../../server/contract/backup.ts';

/**
 * Operations of a service on its data directory during which nothing may be lost, each of which can run as a program of
 * its own.
 */
export const stages = {
  'first run': start,
  migration: start,
  backup: async (directory: string): Promise<void> => {
    await makeBackup({
      directory,
      folder: join(directory, 'backups'),
      reason: 'hand',
      passphrase: null,
      measurement_days: null,
      now_ms: Date.now(),
      program_version: '0.0.0',
      attempt: newAttempt(),
    });
  },
  restore: async (directory: string): Promise<void> => {
    const folder = join(directory, 'backups');
    const file = join(folder, (await listBackups(folder)).backups[0]?.file ?? '');
    await putting(directory, stageRestore({ directory, file, passphrase: null, history: true }));
  },
  undo: (directory: string): Promise<void> => putting(directory, stageFormer({ directory })),
  'backup of elsewhere': async (directory: string): Promise<void> => {
    const file = join(directory, 'backups', 'uploads', 'whole');
    const manifest = await checkBackup({ work: newWork(directory), file, passphrase: null });
    const said = { is_encrypted: false, manifest, installation: 'abcdef01', at: new Date().toISOString() };
    const made = await takeIn(join(directory, 'backups'), { file, ...said });
    await findBackup(join(directory, 'backups'), made.backup_id);
  },
  update: (directory: string): Promise<void> =>
    install(
      { folder: join(directory, 'shell', 'updates'), directory, version: '1.0.0' },
      {
        staged: join(directory, 'staged'),
        sha512: hash('sha512', '1.1.0'),
        program: join(directory, 'program'),
        to: '1.1.0',
      },
    ),
} satisfies Record<string, (directory: string) => void | Promise<void>>;
export type Stage = keyof typeof stages;

/** Like `startService`, before there is a daemon. */
async function start(directory: string): Promise<void> {
  mkdirSync(directory, { recursive: true });
  openDatabases(directory).close();
  const names = { hostName: 'box', addresses: () => [], extraNames: [], now: () => new Date() };
  await openCertificates({ directory: join(directory, 'tls'), ...names });
  keepSecretFile(join(directory, 'daemon.token'));
  new SecretBox(join(directory, 'secret.key')).seal('a password');
}

async function putting(directory: string, staging: Promise<BackupPart[]>): Promise<void> {
  decideRestore(directory, await staging, new Date());
  putBack(directory);
}

const [, , stage, directory] = process.argv;
if (import.meta.main && stage !== undefined && directory !== undefined) await stages[stage as Stage](directory); // the argument with which it was started
