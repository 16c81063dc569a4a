import { closeSync, openSync } from 'node:fs';

/** Makes an empty file that only its owner may read, unless it is there. SQLite gives its WAL the same mode. */
export function createPrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
}
