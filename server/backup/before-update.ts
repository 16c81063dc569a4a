import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openUnwritable } from '../db/open.ts';
import { createPrivate } from '../db/private-file.ts';
import { decideRestore, stagedFolder } from './restore.ts';

const name = 'orangery.db';

/** Copies the configuration as the present program has it, while nobody writes it. Throws what SQLite or the disk says. */
export function keepBeforeUpdate(directory: string, folder: string): void {
  const file = join(directory, name);
  if (!existsSync(file)) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const partial = join(folder, `${name}.partial`);
  rmSync(partial, { force: true });
  createPrivate(partial);
  const db = openUnwritable(file);
  try {
    db.prepare('VACUUM INTO ?').run(partial);
  } finally {
    db.close();
  }
  renameSync(partial, join(folder, name));
}

/**
 * Decides that the next start, of the former program, puts back what `keepBeforeUpdate` copied: its tables are as that program knows them.
 * The other databases stay, for those are compatible one version back. May be done again.
 */
export function decideBeforeUpdate(directory: string, folder: string): void {
  const kept = join(folder, name);
  if (!existsSync(kept)) return;
  const staged = stagedFolder(directory);
  rmSync(staged, { recursive: true, force: true });
  mkdirSync(staged, { mode: 0o700 });
  copyFileSync(kept, join(staged, name));
  decideRestore(directory, [name], new Date());
}
