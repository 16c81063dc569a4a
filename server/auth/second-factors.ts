import { isoOf } from '../contract/time.ts';
import type { LaterWrites } from '../db/later-writes.ts';
import type { TotpRepository } from '../db/repositories/totp.ts';
import type { Now } from './now.ts';
import { digest } from './secret.ts';
import type { SecretBox } from './secret-box.ts';
import { foldRecoveryCode, newRecoveryCodes, newTotpSecret, stepOfCode } from './totp.ts';

interface SecondFactorOptions {
  rows: TotpRepository;
  secrets: SecretBox;
  later: Pick<LaterWrites, 'put'>;
  now: Now;
}

export type FactorState = 'none' | 'begun' | 'in force';

/** The result of the second factor at a log-in. */
export type FactorOutcome = 'not needed' | 'code' | 'recovery code' | 'missing' | 'wrong';

/** Codes of an authenticator (RFC 6238), each taken once, and recovery codes of which only the digest is stored. */
export class SecondFactors {
  readonly #options: SecondFactorOptions;
  /** What was used and is not on disk yet: steps by their sealed secret, digests of recovery codes. */
  readonly #takenSteps = new Map<string, number>();
  readonly #takenCodes = new Set<string>();

  constructor(options: SecondFactorOptions) {
    this.#options = options;
  }

  stateOf(userId: string): FactorState {
    const row = this.#options.rows.get(userId);
    if (row === undefined) return 'none';
    return row.confirmed_at === null ? 'begun' : 'in force';
  }

  recoveryCodesLeft(userId: string): number {
    return this.#options.rows.countCodes(userId);
  }

  /** A new secret in base32, without effect until it is confirmed. */
  begin(userId: string): string {
    const { rows, secrets, now } = this.#options;
    const secret = newTotpSecret();
    rows.begin(userId, secrets.seal(secret), isoOf(now()));
    return secret;
  }

  /** Puts the new secret in force and returns the recovery codes; undefined for a code that does not match it now. */
  confirm(userId: string, code: string): string[] | undefined {
    if (!this.#takeCode(userId, code)) return undefined;
    this.#options.rows.confirm(userId, isoOf(this.#options.now()));
    return this.renewRecoveryCodes(userId);
  }

  /** Replaces the recovery codes. */
  renewRecoveryCodes(userId: string): string[] {
    const codes = newRecoveryCodes();
    this.#options.rows.replaceCodes(userId, codes.map(recoveryDigest));
    return codes;
  }

  /**
   * Takes what was typed beside the password, each code only once. Throws `SecretBoxError` when the key file is lost.
   */
  take(userId: string, typed: string | undefined): FactorOutcome {
    if (this.stateOf(userId) !== 'in force') return 'not needed';
    if (typed === undefined || typed.trim() === '') return 'missing';
    const code = typed.replaceAll(/\s/g, '');
    if (/^\d+$/.test(code)) return this.#takeCode(userId, code) ? 'code' : 'wrong';
    return this.#takeRecoveryCode(userId, recoveryDigest(code)) ? 'recovery code' : 'wrong';
  }

  /** False when there was none. */
  remove(userId: string): boolean {
    return this.#options.rows.remove(userId);
  }

  #takeCode(userId: string, code: string): boolean {
    const { rows, secrets, now, later } = this.#options;
    const row = rows.get(userId);
    if (row === undefined) return false;
    const { secret, last_step } = row;
    const step = stepOfCode(secrets.open(secret), code, now());
    if (step === undefined || step <= Math.max(last_step, this.#takenSteps.get(secret) ?? -Infinity)) return false;
    this.#takenSteps.set(secret, step);
    return later.put({
      name: `step ${step} of ${userId}`,
      write: () => void rows.take(userId, step),
      stored: () => this.#takenSteps.get(secret) === step && this.#takenSteps.delete(secret),
    });
  }

  #takeRecoveryCode(userId: string, hash: Buffer): boolean {
    const { rows, later } = this.#options;
    const name = `${userId} ${hash.toString('hex')}`;
    if (this.#takenCodes.has(name) || !rows.hasCode(userId, hash)) return false;
    this.#takenCodes.add(name);
    return later.put({
      name: `code ${name}`,
      write: () => void rows.takeCode(userId, hash),
      stored: () => this.#takenCodes.delete(name),
    });
  }
}

function recoveryDigest(code: string): Buffer {
  return digest(foldRecoveryCode(code));
}
