import { expect, it } from 'vitest';
import { refuseWeakPassword } from '../../../server/auth/password-rule.ts';
import { codeOf } from '../../support/accounts.ts';
import { refusalOf } from '../../support/refusal.ts';

it.each([
  ['nine characters', 'k7-Tulpen', 'grower', 'too_short'],
  ['short in characters, long in bytes', '온실온실온실온실온', 'grower', 'too_short'],
  ['common', 'qwertyuiop', 'grower', 'too_common'],
  ['common with a number', 'password123', 'grower', 'too_common'],
  ['common in capitals', 'QwertyUIOP', 'grower', 'too_common'],
  ['the username', 'kim.greenhouse', 'Kim.Greenhouse', 'is_username'],
  ['one character', 'aaaaaaaaaaaaaaa', 'grower', 'too_uniform'],
  ['three characters', 'abcabcabcabcabc', 'grower', 'too_uniform'],
])('refuses a password that is %s', async (_, password, username, reason) => {
  const refusal = await refusalOf(() => refuseWeakPassword(password, username));
  expect([refusal.code, refusal.errors]).toMatchObject(['weak_password', [{ path: 'password', code: reason }]]);
});

it.each([
  ['ten characters', 'k7-Tulpen!'],
  ['words', 'the vents open at noon'],
  ['Korean', '바람이부는온실에서자란'],
])('accepts a password of %s', (_, password) => {
  expect(codeOf(() => refuseWeakPassword(password, 'grower'))).toBeUndefined();
});
