import { Refusal } from '../contract/errors.ts';
import { foldName } from '../db/folded-name.ts';
import type { UserRepository } from '../db/repositories/user.ts';
import type { Actor } from './actor.ts';
import type { LockOut, Try } from './lock-out.ts';
import type { PasswordHasher } from './password.ts';

interface PasswordCheckOptions {
  users: UserRepository;
  passwords: PasswordHasher;
  lockOut: LockOut;
}

interface Checked {
  /** undefined for a wrong password, an unknown user and a disabled one. */
  userId: string | undefined;
  attempt: Try;
}

/** Checks a typed password against an account, as an attempt that the lock-out counts. */
export class PasswordCheck {
  readonly #options: PasswordCheckOptions;

  constructor(options: PasswordCheckOptions) {
    this.#options = options;
  }

  /** Throws `locked_out`, `rate_limited`. The caller reports how the attempt ended. */
  async check(typed: { username: string; password: string }, address: string | null): Promise<Checked> {
    const attempt = this.#options.lockOut.admit(foldName(typed.username), address);
    try {
      return { userId: await this.#identify(typed), attempt };
    } catch (error) {
      attempt.abandoned();
      throw error;
    }
  }

  /** Makes callers prove again who they are. Throws `wrong_password`, `locked_out`, `rate_limited`. */
  async proveAgain({ username, user_id, address }: Actor, password: string): Promise<void> {
    const { userId, attempt } = await this.check({ username: username ?? '', password }, address);
    if (userId === undefined || userId !== user_id) {
      throw new Refusal('wrong_password', 'this is not your present password');
    }
    attempt.succeeded();
  }

  /** The account is read again after the slow hash: it may have been disabled meanwhile. */
  async #identify({ username, password }: { username: string; password: string }): Promise<string | undefined> {
    const { users, passwords } = this.#options;
    const stored = users.findLogin(username)?.password_hash;
    if (!(await passwords.verify(password, stored))) return undefined;
    const current = users.findLogin(username);
    return current?.is_enabled === 1 && current.password_hash === stored ? current.unique_id : undefined;
  }
}
