import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { SecretBox } from '../../../server/auth/secret-box.ts';
import { codeOf } from '../../support/accounts.ts';
import { testFolder } from '../../support/database.ts';

let keyFile: string;

beforeEach(() => {
  keyFile = join(testFolder(), 'secret.key');
});

describe('sealing', () => {
  it('gives back any text, also to a later process, and shows nothing of it', () => {
    const box = new SecretBox(keyFile);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const sealed = box.seal(text);
        expect(sealed).toMatch(/^v1\.[A-Za-z0-9_-]+$/);
        expect(new SecretBox(keyFile).open(sealed)).toBe(text);
      }),
    );
  });

  it('never seals alike twice', () => {
    const box = new SecretBox(keyFile);
    expect(box.seal('same')).not.toBe(box.seal('same'));
  });

  it('notices any changed byte', () => {
    const box = new SecretBox(keyFile);
    const bytes = Buffer.from(box.seal('a key of a provider').slice(3), 'base64url');
    for (let index = 0; index < bytes.length; index += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
      expect(codeOf(() => box.open(`v1.${changed.toString('base64url')}`))).toBe('secret_unreadable');
    }
  });

  it.each(['', 'plain text', 'v1.', 'v1.AAAA', 'v2.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'])(
    'refuses %j, which it never made',
    (text) => {
      const box = new SecretBox(keyFile);
      box.seal('makes the key');
      expect(codeOf(() => box.open(text))).toBe('secret_unreadable');
    },
  );
});

describe('the key file', () => {
  it('is made by the first seal, for its owner alone, and kept', () => {
    const box = new SecretBox(keyFile);
    expect(existsSync(keyFile)).toBe(false);
    box.seal('one');
    const made = readFileSync(keyFile, 'utf8');
    new SecretBox(keyFile).seal('two');
    expect(statSync(keyFile).mode & 0o777).toBe(0o600);
    expect(readFileSync(keyFile, 'utf8')).toBe(made);
  });

  it('is named when it is missing, damaged, or not the one', () => {
    const sealed = new SecretBox(keyFile).seal('one');
    rmSync(keyFile);
    expect(codeOf(() => new SecretBox(keyFile).open(sealed))).toBe('secret_key_unusable');
    writeFileSync(keyFile, 'short');
    expect(codeOf(() => new SecretBox(keyFile).open(sealed))).toBe('secret_key_unusable');
    expect(codeOf(() => new SecretBox(keyFile).seal('two'))).toBe('secret_key_unusable');
    rmSync(keyFile);
    new SecretBox(keyFile).seal('two');
    expect(codeOf(() => new SecretBox(keyFile).open(sealed))).toBe('secret_unreadable');
  });

  it('cannot be made in a folder that is not there', () => {
    expect(codeOf(() => new SecretBox(join(keyFile, 'missing', 'secret.key')).seal('one'))).toBe('ENOENT');
  });
});
