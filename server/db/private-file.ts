import { closeSync, openSync } from 'node:fs';

/**
 * Creates an empty file that only its owner may read, unless it exists. SQLite gives its WAL the same mode, and treats
 * `:memory:` as no file.
 */
export function createPrivate(file: string): void {
  if (file === ':memory:') return;
  closeSync(openSync(file, 'a', 0o600));
}
