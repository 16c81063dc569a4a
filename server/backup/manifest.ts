import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { backup, backupParts } from '../contract/backup.ts';
import { BackupError } from './backup-error.ts';

export const manifestName = 'manifest.json';

/** The first file of a backup: what it is, and what each of its databases must be. */
const manifest = z.strictObject({
  format: z.literal(1),
  ...backup.pick({ created_at: true, reason: true, left_out: true }).shape,
  program_version: z.string(),
  parts: z
    .array(
      z.strictObject({
        name: z.enum(backupParts),
        bytes: z.int().min(0),
        sha256: z.hex(),
        version: z.int().min(0).describe('Migrations that the database has had'),
      }),
    )
    .min(1)
    .max(backupParts.length),
});
export type Manifest = z.infer<typeof manifest>;

/** Reads the manifest of an unpacked backup. Throws BackupError not_a_backup. */
export function readManifest(folder: string): Manifest {
  try {
    return manifest.parse(JSON.parse(readFileSync(join(folder, manifestName), 'utf8')));
  } catch (cause) {
    throw new BackupError('not_a_backup', 'the file is no backup of this program', { cause });
  }
}

/** SHA-256 of a file, hex. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
