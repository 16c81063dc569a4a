import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const secretBytes = 32;

/** The secret in a file of one line; undefined where there is none. */
export function readSecretFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** The secret in a file that only its owner may read; a random one is made where there is no file. */
export function keepSecretFile(file: string): string {
  const kept = readSecretFile(file);
  if (kept !== undefined) return kept;
  const made = randomBytes(secretBytes).toString('base64url');
  try {
    writeFileSync(file, `${made}\n`, { flag: 'wx', mode: 0o600 });
    return made;
  } catch (error) {
    const others = isCode(error, 'EEXIST') ? readSecretFile(file) : undefined; // another process was quicker
    if (others === undefined) throw error;
    return others;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
