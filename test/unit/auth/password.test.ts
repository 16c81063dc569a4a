import { describe, expect, it } from 'vitest';
import { PasswordHasher } from '../../../server/auth/password.ts';
import { rejectionOf } from '../../support/accounts.ts';

const cheap = { log2N: 1, r: 8, p: 1 };

describe('PasswordHasher', () => {
  it('accepts the password that it hashed and no other', async () => {
    const hasher = new PasswordHasher(cheap);
    const stored = await hasher.hash('correct horse');
    expect(await hasher.verify('correct horse', stored)).toBe(true);
    expect(await hasher.verify('correct horse ', stored)).toBe(false);
    expect(await hasher.verify('', stored)).toBe(false);
  });

  it('salts: one password gives two hashes', async () => {
    const hasher = new PasswordHasher(cheap);
    expect(await hasher.hash('correct horse')).not.toBe(await hasher.hash('correct horse'));
  });

  it('hashes with 128 MiB as delivered and says so in the hash', async () => {
    const hasher = new PasswordHasher();
    const stored = await hasher.hash('correct horse');
    expect(stored).toMatch(/^\$scrypt\$ln=17,r=8,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(await hasher.verify('correct horse', stored)).toBe(true);
  });

  it('is scrypt: RFC 7914, section 12, third vector', async () => {
    const salt = Buffer.from('NaCl').toString('base64').replaceAll('=', '');
    const hash = Buffer.from('fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162', 'hex');
    const stored = `$scrypt$ln=10,r=8,p=16$${salt}$${hash.toString('base64').replaceAll('=', '')}`;
    expect(await new PasswordHasher(cheap).verify('password', stored)).toBe(true);
  });

  it('takes two spellings of one character for the same', async () => {
    const hasher = new PasswordHasher(cheap);
    expect(await hasher.verify('cafe\u0301 au lait', await hasher.hash('caf\u00e9 au lait'))).toBe(true);
  });

  it('answers false for an account that is not there', async () => {
    expect(await new PasswordHasher(cheap).verify('anything', undefined)).toBe(false);
  });

  it('lets 20 wait behind the one at work and refuses the next', async () => {
    const hasher = new PasswordHasher(cheap);
    const served = Array.from({ length: 21 }, () => hasher.hash('correct horse'));
    expect(await rejectionOf(hasher.hash('one too many'))).toBe('rate_limited');
    expect(await Promise.all(served)).toHaveLength(21);
    expect(await rejectionOf(hasher.hash('room again'))).toBeUndefined();
  });

  it('goes on after a failure', async () => {
    const hasher = new PasswordHasher({ log2N: 30, r: 8, p: 1 });
    const failed = rejectionOf(hasher.hash('needs a terabyte'));
    const stored = await new PasswordHasher(cheap).hash('correct horse');
    const next = hasher.verify('correct horse', stored);
    expect(await failed).toBe('ERR_CRYPTO_INVALID_SCRYPT_PARAMS');
    expect(await next).toBe(true);
  });
});
