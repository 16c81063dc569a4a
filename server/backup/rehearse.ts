import { statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '../contract/message-of.ts';
import { integrityFaults } from '../db/integrity.ts';
import { DatabaseTooNewError } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { unpack } from './archive.ts';
import { BackupError } from './backup-error.ts';
import { digestOf, manifestName, readManifest, type Manifest } from './manifest.ts';
import { parts } from './parts.ts';

interface Rehearsal {
  file: string;
  /** Empty; afterwards it holds the databases, migrated as by a start. */
  folder: string;
  passphrase: string | null;
  mostBytes: number;
}

/**
 * Does what a restore does, in a separate folder: unpacks the backup, checks each database against the manifest,
 * migrates it and has SQLite check it. Returns the manifest; throws BackupError for whatever would fail.
 */
export async function rehearse({ file, folder, passphrase, mostBytes }: Rehearsal): Promise<Manifest> {
  await unpack({ file, folder, passphrase, mostBytes, names: [manifestName, ...Object.keys(parts)] });
  const manifest = readManifest(folder);
  for (const part of manifest.parts) await prove(part, join(folder, part.name));
  return manifest;
}

async function prove({ name, bytes, sha256 }: Manifest['parts'][number], file: string): Promise<void> {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.size !== bytes || (await digestOf(file)) !== sha256) {
    throw new BackupError('damaged', `${name} of the backup is not what was written`);
  }
  try {
    const db = openDatabase(file, { migrations: parts[name].migrations });
    try {
      const [fault] = integrityFaults(db);
      if (fault !== undefined) throw new BackupError('damaged', `${name} of the backup: ${fault}`);
      db.pragma('journal_mode = DELETE');
    } finally {
      db.close();
    }
  } catch (cause) {
    if (cause instanceof BackupError) throw cause;
    if (cause instanceof DatabaseTooNewError) {
      throw new BackupError('too_new', `the backup was made by a newer program: ${messageOf(cause)}`, { cause });
    }
    throw new BackupError('damaged', `${name} of the backup: ${messageOf(cause)}`, { cause });
  }
}
