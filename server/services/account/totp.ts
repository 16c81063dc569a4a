import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { PasswordCheck } from '../../auth/password-check.ts';
import type { FactorState, SecondFactors } from '../../auth/second-factors.ts';
import { otpauthUri } from '../../auth/totp.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { RecoveryCodes, TotpEnrolment, TotpState } from '../../contract/totp.ts';
import type { UserRepository } from '../../db/repositories/user.ts';
import type { Transact } from '../../db/transaction.ts';
import type { Grants } from './grants.ts';

export interface TotpOptions {
  users: UserRepository;
  grants: Grants;
  factors: SecondFactors;
  passwordCheck: PasswordCheck;
  audit: AuditSink;
  transact: Transact;
}

interface Caller {
  userId: string;
  username: string;
}

/** The second factor of one's own log-in; with edit_users that of another can be removed. */
export class TotpService {
  readonly #options: TotpOptions;

  constructor(options: TotpOptions) {
    this.#options = options;
  }

  state(actor: Actor): TotpState {
    const { userId } = callerOf(actor);
    const { factors } = this.#options;
    return {
      is_enabled: factors.stateOf(userId) === 'in force',
      recovery_codes_left: factors.recoveryCodesLeft(userId),
    };
  }

  /**
   * Has no effect until confirmed; an earlier unconfirmed enrolment is dropped. Throws `conflict`, `wrong_password`,
   * `locked_out`, `rate_limited`.
   */
  async enrol(password: string, actor: Actor): Promise<TotpEnrolment> {
    const { userId, username } = callerOf(actor);
    this.#refuseUnless(['none', 'begun'], userId);
    await this.#options.passwordCheck.proveAgain(actor, password);
    const secret = this.#options.transact(() => {
      this.#refuseUnless(['none', 'begun'], userId);
      this.#options.audit.record({ kind: 'totp.enrol', actor, target: userId });
      return this.#options.factors.begin(userId);
    });
    return { secret, otpauth_uri: otpauthUri(secret, username) };
  }

  /** Throws `conflict` unless an enrolment waits for its confirmation, `invalid_field` for a wrong code. */
  confirm(code: string, actor: Actor): RecoveryCodes {
    const { userId } = callerOf(actor);
    return this.#options.transact(() => {
      this.#refuseUnless(['begun'], userId);
      const recovery_codes = this.#options.factors.confirm(userId, code);
      if (recovery_codes === undefined) throw refuseField('invalid_field', 'code', why('wrong_code'));
      this.#options.audit.record({ kind: 'totp.confirm', actor, target: userId });
      return { recovery_codes };
    });
  }

  /** Throws `conflict`, `wrong_password`, `locked_out`, `rate_limited`. */
  async renewRecoveryCodes(password: string, actor: Actor): Promise<RecoveryCodes> {
    const { userId } = callerOf(actor);
    this.#refuseUnless(['in force'], userId);
    await this.#options.passwordCheck.proveAgain(actor, password);
    return this.#options.transact(() => {
      this.#refuseUnless(['in force'], userId);
      this.#options.audit.record({ kind: 'totp.renew_codes', actor, target: userId });
      return { recovery_codes: this.#options.factors.renewRecoveryCodes(userId) };
    });
  }

  /** Throws `conflict` when there is none, `wrong_password`, `locked_out`, `rate_limited`. */
  async disable(password: string, actor: Actor): Promise<void> {
    const { userId } = callerOf(actor);
    this.#refuseUnless(['begun', 'in force'], userId);
    await this.#options.passwordCheck.proveAgain(actor, password);
    this.#options.transact(() => this.#remove(userId, actor));
  }

  /** For a user who lost the authenticator and the recovery codes. Throws `not_found`, `forbidden`, `conflict`. */
  removeOf(userId: string, actor: Actor): void {
    this.#options.transact(() => {
      const user = this.#options.users.get(userId);
      if (user === undefined) throw new Refusal('not_found', 'there is no such user');
      if (userId === actor.user_id) throw new Refusal('forbidden', 'give up your own with your password');
      this.#options.grants.refuseOver(user, actor);
      this.#remove(userId, actor);
    });
  }

  #remove(userId: string, actor: Actor): void {
    if (!this.#options.factors.remove(userId)) throw new Refusal('conflict', why('no_second_factor'));
    this.#options.audit.record({ kind: 'totp.remove', actor, target: userId });
  }

  #refuseUnless(states: readonly FactorState[], userId: string): void {
    const state = this.#options.factors.stateOf(userId);
    if (!states.includes(state)) throw new Refusal('conflict', why('second_factor_is', { state }));
  }
}

function callerOf({ user_id, username }: Actor): Caller {
  if (user_id === null || username === null) throw new Error('a caller without an account was let in');
  return { userId: user_id, username };
}
