import { Secret, TOTP } from 'otpauth';

const secretLength = 20; // bytes, RFC 4226, R6
const periodMs = 30_000;
const window = 1; // steps of drift either way, RFC 6238, 5.2
const recoveryLength = 10; // bytes: so many that a plain digest of them cannot be searched
const recoveryCount = 10;

/** 160 random bits in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: secretLength }).base32;
}

/** The URI for an authenticator's QR code. */
export function otpauthUri(secret: string, username: string): string {
  return generator(secret, username).toString();
}

/** The time step of a six-digit code, at most one away from now; undefined for any other code. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | undefined {
  const drift = generator(secret).validate({ token: code, timestamp: nowMs, window });
  return drift === null ? undefined : Math.floor(nowMs / periodMs) + drift;
}

/** Ten random codes of 80 bits for when the authenticator is lost, grouped for reading. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCount }, () =>
    grouped(new Secret({ size: recoveryLength }).base32.toLowerCase()),
  );
}

/** A recovery code in the form that is digested, however it was typed. */
export function foldRecoveryCode(typed: string): string {
  return typed.toLowerCase().replaceAll(/[^a-z2-7]/g, '');
}

/** SHA-1, six digits and 30 s work with every authenticator, whatever the URI says. */
function generator(secret: string, label = ''): TOTP {
  return new TOTP({
    issuer: 'Orangery',
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: periodMs / 1000,
    secret: Secret.fromBase32(secret),
  });
}

function grouped(code: string): string {
  return code.replaceAll(/.{4}(?=.)/g, '$&-');
}
