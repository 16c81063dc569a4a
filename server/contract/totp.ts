import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { password } from './user.ts';

const proof = z.strictObject({ password: password.describe('Your password, again') });

export const totpState = z.strictObject({
  is_enabled: z.boolean().describe('Logging in needs a code'),
  recovery_codes_left: z.int().min(0).max(100).describe('Not used yet, each works once'),
});
export type TotpState = z.infer<typeof totpState>;

export const totpEnrolment = z.strictObject({
  secret: z.string().describe('160 random bits, base32, for typing'),
  otpauth_uri: z.string().describe('For a QR code: otpauth://totp/..., SHA1, 6 digits, 30 s'),
});
export type TotpEnrolment = z.infer<typeof totpEnrolment>;

export const recoveryCodes = z.strictObject({
  recovery_codes: z.array(z.string()).describe('Each logs in once in place of a code. Shown this once'),
});
export type RecoveryCodes = z.infer<typeof recoveryCodes>;

export const totpEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/auth/totp',
    tag: 'auth',
    summary: 'Whether your log-in has a second factor',
    access: 'login',
    answer: totpState,
    statuses: [200],
  }),
  enrol: endpoint({
    method: 'POST',
    path: '/api/auth/totp',
    tag: 'auth',
    summary: 'Begin a second factor: a secret for an authenticator, in force once a code of it was confirmed',
    access: 'login',
    body: proof,
    answer: totpEnrolment,
    hasNoAddress: true,
    statuses: [201],
    errors: ['conflict', 'wrong_password', 'locked_out', 'rate_limited'],
    changesState: true,
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/auth/totp/confirm',
    tag: 'auth',
    summary: 'Put the second factor in force by a code of the authenticator; answers the recovery codes',
    access: 'login',
    body: z.strictObject({ code: z.string().regex(/^\d{6}$/) }),
    answer: recoveryCodes,
    statuses: [200],
    errors: ['conflict', 'invalid_field'],
    changesState: true,
  }),
  renewCodes: endpoint({
    method: 'POST',
    path: '/api/auth/totp/recovery_codes',
    tag: 'auth',
    summary: 'Make new recovery codes; the old ones end',
    access: 'login',
    body: proof,
    answer: recoveryCodes,
    statuses: [200],
    errors: ['conflict', 'wrong_password', 'locked_out', 'rate_limited'],
    changesState: true,
  }),
  disable: endpoint({
    method: 'POST',
    path: '/api/auth/totp/disable',
    tag: 'auth',
    summary: 'Give up your second factor',
    access: 'login',
    body: proof,
    answer: z.strictObject({ is_enabled: z.literal(false) }),
    statuses: [200],
    errors: ['conflict', 'wrong_password', 'locked_out', 'rate_limited'],
    changesState: true,
  }),
};
