import { isoOf } from '../../contract/time.ts';
import { randomUUID } from 'node:crypto';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { Now } from '../../auth/now.ts';
import { refuseWeakPassword } from '../../auth/password-rule.ts';
import type { PasswordHasher } from '../../auth/password.ts';
import type { SetupToken } from '../../auth/setup-token.ts';
import type { Setup } from '../../contract/auth.ts';
import { Refusal } from '../../contract/errors.ts';
import type { User, UserCreate } from '../../contract/user.ts';
import type { UserRepository } from '../../db/repositories/user.ts';
import type { Transact } from '../../db/transaction.ts';
import { refuseStranger, type Grants } from './grants.ts';

export interface AccountOptions {
  users: UserRepository;
  grants: Grants;
  passwords: PasswordHasher;
  audit: AuditSink;
  transact: Transact;
  now: Now;
  /** Absent when the setup does not run over the network (the command line). */
  setupToken?: SetupToken;
  /**
   * Called when this process has made the first account; one made by another process (the command line) goes
   * unreported.
   */
  onSetUp?: () => void;
}

/** The users: the first administrator, and those that administrators make. */
export class AccountService {
  readonly #options: AccountOptions;
  #isSetUp = false;

  constructor(options: AccountOptions) {
    this.#options = options;
  }

  /** Whether any account exists. */
  isSetUp(): boolean {
    this.#isSetUp ||= this.#options.users.any(); // accounts made by the command line count too
    return this.#isSetUp;
  }

  /** Makes the first administrator. Throws `already_set_up`, `setup_token_invalid`, `weak_password`, `rate_limited`. */
  async setUp({ setup_token, username, password }: Setup, actor: Actor): Promise<User> {
    this.#refuseSecondSetUp();
    if (this.#options.setupToken?.matches(setup_token) !== true) {
      throw new Refusal('setup_token_invalid', 'this is not the setup token that the last start printed');
    }
    const user = await this.#prepare({ username, password, role: 'Admin' });
    this.#options.transact(() => {
      this.#refuseSecondSetUp();
      this.#insert(user, { kind: 'auth.setup', actor });
    });
    this.#options.onSetUp?.();
    return withoutHash(user);
  }

  list(): User[] {
    return this.#options.users.list();
  }

  /** One's own account, or with edit_users any; `userId` in lower case. Throws `forbidden`, `not_found`. */
  get(userId: string, actor: Actor): User {
    refuseStranger(userId, actor);
    const user = this.#options.users.get(userId);
    if (user === undefined) throw new Refusal('not_found', 'there is no such user');
    return user;
  }

  /** Finds a user by name, ignoring case. */
  find(username: string): User | undefined {
    const found = this.#options.users.findLogin(username);
    return found && this.#options.users.get(found.unique_id);
  }

  /**
   * Makes a user. Throws `forbidden` if the role has permissions that the actor lacks, `unknown_reference` for an
   * unknown role, `already_exists`, `weak_password`, `rate_limited`.
   */
  async create(wanted: UserCreate, actor: Actor): Promise<User> {
    const { grants, transact } = this.#options;
    grants.refuseRole(wanted.role, actor);
    this.#refuseKnown(wanted.username);
    const user = await this.#prepare(wanted);
    const isFirst = !this.isSetUp();
    transact(() => {
      grants.refuseRole(wanted.role, grants.renewed(actor));
      this.#refuseKnown(wanted.username);
      this.#insert(user, { kind: 'user.create', actor });
    });
    if (isFirst) this.#options.onSetUp?.();
    return withoutHash(user);
  }

  async #prepare({ username, password, role, email, language, is_enabled }: UserCreate): Promise<PreparedUser> {
    refuseWeakPassword(password, username);
    return {
      unique_id: randomUUID(),
      username,
      role,
      email: email ?? null,
      language: language ?? null,
      is_enabled: is_enabled ?? true,
      last_login_at: null,
      password_hash: await this.#options.passwords.hash(password),
    };
  }

  #insert(user: PreparedUser, { kind, actor }: { kind: string; actor: Actor }): void {
    this.#options.users.insert({ ...user, created_at: isoOf(this.#options.now()) });
    this.#options.audit.record({ kind, actor, target: user.unique_id, after: withoutHash(user) });
  }

  #refuseSecondSetUp(): void {
    if (this.isSetUp()) throw new Refusal('already_set_up', 'the first administrator exists: log in');
  }

  #refuseKnown(username: string): void {
    if (this.#options.users.findLogin(username) !== undefined) {
      throw new Refusal('already_exists', 'the username is taken');
    }
  }
}

type PreparedUser = User & { password_hash: string };

function withoutHash({ password_hash: _, ...user }: PreparedUser): User {
  return user;
}
