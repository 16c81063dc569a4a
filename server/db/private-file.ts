import { closeSync, openSync } from 'node:fs';

/** Makes an empty file that only its owner may read, unless it is there. SQLite gives its WAL the same mode, and takes `:memory:` for no file. */
export function createPrivate(file: string): void {
  if (file === ':memory:') return;
  closeSync(openSync(file, 'a', 0o600));
}
