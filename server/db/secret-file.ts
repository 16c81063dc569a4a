import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { codeOf } from '../contract/code-of.ts';
import { replaceFileSync } from './replace-file.ts';

const secretBytes = 32;

/** The secret in a one-line file; undefined when the file is missing or empty. */
export function readSecretFile(file: string): string | undefined {
  return readLine(file) || undefined;
}

/** The secret in a private file; makes a random one when the file is missing, or empty as a full disk leaves it. */
export function keepSecretFile(file: string): string {
  const kept = readLine(file);
  if (kept) return kept;
  const made = `${randomBytes(secretBytes).toString('base64url')}\n`;
  if (kept === '') replaceFileSync(file, made);
  else writeUnlessThere(file, made);
  const now = readLine(file); // another process may have been quicker
  if (!now) throw new Error(`${file} is empty: delete it, and the next start makes another`);
  return now;
}

function readLine(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function writeUnlessThere(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
