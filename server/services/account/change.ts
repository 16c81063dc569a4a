import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { ApiKeys } from '../../auth/api-keys.ts';
import type { PasswordCheck } from '../../auth/password-check.ts';
import { refuseWeakPassword } from '../../auth/password-rule.ts';
import type { PasswordHasher } from '../../auth/password.ts';
import type { Sessions } from '../../auth/sessions.ts';
import { Refusal, refuseChanged, refusePlainly } from '../../contract/errors.ts';
import type { User, UserUpdate } from '../../contract/user.ts';
import type { UserRepository } from '../../db/repositories/user.ts';
import type { Transact } from '../../db/transaction.ts';
import { refuseStranger, type Grants } from './grants.ts';

export interface AccountChangeOptions {
  users: UserRepository;
  grants: Grants;
  sessions: Sessions;
  keys: ApiKeys;
  passwords: PasswordHasher;
  passwordCheck: PasswordCheck;
  audit: AuditSink;
  transact: Transact;
}

interface Change {
  userId: string;
  patch: UserUpdate;
  actor: Actor;
}

const administrator = 'Admin';
const editable = ['role', 'email', 'language', 'is_enabled'] as const;

/** Changes and deletes users, also oneself. An enabled administrator always remains. Identifiers in lower case. */
export class AccountChangeService {
  readonly #options: AccountChangeOptions;

  constructor(options: AccountChangeOptions) {
    this.#options = options;
  }

  /**
   * Changes what the patch names. A new password or role ends the user's sessions except that of this call. Throws
   * `forbidden`, `not_found`, `read_only_field`, `unknown_reference`, `invalid_field`, `weak_password`,
   * `wrong_password`, `last_admin`, `locked_out`, `rate_limited`; then nothing has changed.
   */
  async update(userId: string, patch: UserUpdate, actor: Actor): Promise<User> {
    const change = { userId, patch, actor };
    const hash = await this.#newHash(this.#plan(change).before, change);
    return this.#options.transact(() => {
      const { before, after } = this.#plan({ ...change, actor: this.#options.grants.renewed(actor) });
      this.#store(before, after, { hash, actor });
      return after;
    });
  }

  /** Throws `forbidden`, `not_found`, `last_admin`. */
  remove(userId: string, actor: Actor): void {
    const { users, keys, audit, transact } = this.#options;
    transact(() => {
      const user = this.#existing(userId);
      this.#options.grants.refuseOver(user, actor);
      this.#refuseLastAdmin(user, undefined);
      const api_keys = keys.listOf(userId).map(({ key_id, name, scope }) => ({ key_id, name, scope }));
      users.remove(userId);
      audit.record({ kind: 'user.delete', actor, target: userId, before: { ...user, api_keys } });
    });
  }

  /** The user before and after the change. */
  #plan({ userId, patch, actor }: Change): { before: User; after: User } {
    refuseStranger(userId, actor);
    const before = this.#existing(userId);
    refuseChanged(patch, before, ['unique_id', 'username', 'last_login_at']);
    const after = { ...before, ...named(patch) };
    this.#refuseUnheld({ before, after }, { patch, actor });
    this.#refuseLastAdmin(before, after);
    return { before, after };
  }

  #refuseUnheld({ before, after }: { before: User; after: User }, { patch, actor }: Omit<Change, 'userId'>): void {
    const isPlaced = after.role !== before.role || after.is_enabled !== before.is_enabled;
    if (isPlaced && !actor.permissions.has('edit_users')) {
      throw new Refusal('forbidden', 'role and is_enabled need the permission edit_users', {
        members: { permission: 'edit_users' },
      });
    }
    const isChanged = patch.password !== undefined || changedFields(before, after).length > 0;
    if (isChanged && before.unique_id !== actor.user_id) this.#options.grants.refuseOver(before, actor);
    if (after.role !== before.role) this.#options.grants.refuseRole(after.role, actor);
  }

  #refuseLastAdmin(before: User, after: User | undefined): void {
    const isAdmin = (user: User | undefined): boolean => user?.role === administrator && user.is_enabled;
    if (!isAdmin(before) || isAdmin(after) || this.#options.users.hasOther(before)) return;
    throw new Refusal('last_admin', 'this is the last enabled administrator: make another one first');
  }

  async #newHash({ username }: User, { userId, patch, actor }: Change): Promise<string | undefined> {
    const { password, current_password } = patch;
    const isOwn = userId === actor.user_id;
    if (current_password !== undefined && (password === undefined || !isOwn)) {
      throw refusePlainly('invalid_field', 'current_password', 'goes with a new password of your own');
    }
    if (password === undefined) return undefined;
    refuseWeakPassword(password, username);
    if (isOwn) {
      if (current_password === undefined) {
        throw refusePlainly('invalid_field', 'current_password', 'is required for a new password of your own');
      }
      await this.#options.passwordCheck.proveAgain(actor, current_password);
    }
    return this.#options.passwords.hash(password);
  }

  #store(before: User, after: User, { hash, actor }: { hash: string | undefined; actor: Actor }): void {
    const { users, sessions, audit } = this.#options;
    const changed = changedFields(before, after);
    if (changed.length === 0 && hash === undefined) return;
    users.update(after);
    if (hash !== undefined) users.setPassword(after.unique_id, hash);
    if (!after.is_enabled) sessions.endOfUser(after.unique_id, null);
    else if (hash !== undefined || after.role !== before.role) sessions.endOfUser(after.unique_id, actor.session_id);
    audit.record({
      kind: 'user.update',
      actor,
      target: after.unique_id,
      before: pick(before, changed),
      after: { ...pick(after, changed), ...(hash !== undefined && { password_changed: true }) },
    });
  }

  #existing(userId: string): User {
    const user = this.#options.users.get(userId);
    if (user === undefined) throw new Refusal('not_found', 'there is no such user');
    return user;
  }
}

type Editable = (typeof editable)[number];

/** The fields that the patch names; an absent one stays as it is. */
function named(patch: UserUpdate): Partial<Pick<User, Editable>> {
  return Object.fromEntries(
    editable.filter((field) => patch[field] !== undefined).map((field) => [field, patch[field]]),
  );
}

function changedFields(before: User, after: User): Editable[] {
  return editable.filter((field) => before[field] !== after[field]);
}

function pick(user: User, fields: readonly Editable[]): Partial<User> {
  return Object.fromEntries(fields.map((field) => [field, user[field]]));
}
