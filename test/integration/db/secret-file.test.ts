import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { keepSecretFile, readSecretFile } from '../../../server/db/secret-file.ts';
import { testFolder } from '../../support/database.ts';

let file: string;

beforeEach(() => {
  file = join(testFolder(), 'daemon.token');
});

it('makes a secret once, for its owner alone', () => {
  const made = keepSecretFile(file);
  expect(made).toMatch(/^[\w-]{43}$/);
  expect(keepSecretFile(file)).toBe(made);
  expect(readSecretFile(file)).toBe(made);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it.each(['', '\n', ' \n'])('makes one anew where the file holds only %j', (text) => {
  writeFileSync(file, text, { mode: 0o644 });
  const made = keepSecretFile(file);
  expect(made).toMatch(/^[\w-]{43}$/);
  expect(readFileSync(file, 'utf8')).toBe(`${made}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('keeps what somebody chose', () => {
  writeFileSync(file, 'leek\n');
  expect(keepSecretFile(file)).toBe('leek');
});

it('reads nothing where there is none, or an empty one', () => {
  expect(readSecretFile(file)).toBeUndefined();
  writeFileSync(file, '\n');
  expect(readSecretFile(file)).toBeUndefined();
});
