import { TOTP, Secret } from 'otpauth';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  foldRecoveryCode,
  newRecoveryCodes,
  newTotpSecret,
  otpauthUri,
  stepOfCode,
} from '../../../server/auth/totp.ts';

/** "12345678901234567890" in base32: the secret of RFC 6238, appendix B. */
const rfcSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('stepOfCode', () => {
  // The last six of the eight digits of RFC 6238, appendix B, SHA-1.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('knows the code of second %i', (second, code) => {
    const step = Math.floor(second / 30);
    expect(stepOfCode(rfcSecret, code, second * 1000)).toBe(step);
    expect(stepOfCode(rfcSecret, code, (second + 30) * 1000)).toBe(step);
    expect(stepOfCode(rfcSecret, code, (second - 30) * 1000)).toBe(step);
    expect(stepOfCode(rfcSecret, code, (second + 60) * 1000)).toBeUndefined();
    expect(stepOfCode(rfcSecret, code, (second - 60) * 1000)).toBeUndefined();
  });

  it.each(['', '28708', '2870822', '000000', '28708a'])('takes %j for no code', (code) => {
    expect(stepOfCode(rfcSecret, code, 59_000)).toBeUndefined();
  });

  it('gives the step of any moment to the code of that moment', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), (now) => {
        const code = new TOTP({ secret: Secret.fromBase32(rfcSecret) }).generate({ timestamp: now });
        expect(stepOfCode(rfcSecret, code, now)).toBe(Math.floor(now / 30_000));
      }),
      { numRuns: 100 },
    );
  });
});

it('makes secrets of 160 bits that differ', () => {
  const secrets = Array.from({ length: 20 }, newTotpSecret);
  expect(new Set(secrets).size).toBe(20);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
});

it('writes the URI that authenticators read', () => {
  const uri = new URL(otpauthUri(rfcSecret, 'kim@farm'));
  expect(uri.href).toMatch(/^otpauth:\/\/totp\/Orangery:kim%40farm\?/);
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    issuer: 'Orangery',
    secret: rfcSecret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});

describe('recovery codes', () => {
  it('are ten of 80 bits, in groups', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
  });

  it('are one however they are typed', () => {
    const [code = ''] = newRecoveryCodes();
    for (const typed of [code.toUpperCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' ')} `]) {
      expect(foldRecoveryCode(typed)).toBe(foldRecoveryCode(code));
    }
  });
});
