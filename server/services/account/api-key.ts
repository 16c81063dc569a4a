import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { ApiKeys } from '../../auth/api-keys.ts';
import type { Now } from '../../auth/now.ts';
import type { ApiKey, ApiKeyCreate, NewApiKey } from '../../contract/api-key.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import { epochOf } from '../../contract/time.ts';
import type { User } from '../../contract/user.ts';
import type { UserRepository } from '../../db/repositories/user.ts';
import type { Transact } from '../../db/transaction.ts';
import { periodically } from '../record/periodic.ts';
import { refuseStranger, type Grants } from './grants.ts';

export interface ApiKeyOptions {
  users: UserRepository;
  grants: Grants;
  keys: ApiKeys;
  audit: AuditSink;
  transact: Transact;
  now: Now;
  /** The time that has certainly been reached, epoch ms. */
  trusted: Now;
}

const lookMs = 60_000;

/** API keys: one's own, and with edit_users those of others. Identifiers in lower case. */
export class ApiKeyService {
  readonly #options: ApiKeyOptions;
  #end: (() => void) | undefined;

  constructor(options: ApiKeyOptions) {
    this.#options = options;
  }

  /** Ends expired keys, now and every minute. */
  start(onFault: (error: unknown) => void): void {
    this.#end = periodically(async () => this.endExpired(), { everyMs: lookMs, onFault });
  }

  stop(): void {
    this.#end?.();
  }

  /** Ends expired keys for good, even if the clock is set back later. Returns how many. */
  endExpired(): number {
    return this.#options.keys.endExpired(this.#options.trusted());
  }

  /** Throws `forbidden`, `not_found`. */
  list(userId: string, actor: Actor): ApiKey[] {
    return this.#options.keys.listOf(this.#owner(userId, actor).unique_id);
  }

  /** Throws `forbidden`, `not_found`. */
  get({ userId, keyId }: { userId: string; keyId: string }, actor: Actor): ApiKey {
    return this.#key(this.#owner(userId, actor), keyId);
  }

  /** Makes a key and returns it; it cannot be read again. Throws `forbidden`, `not_found`, `invalid_field`. */
  create(userId: string, wanted: ApiKeyCreate, actor: Actor): NewApiKey {
    const owner = this.#owner(userId, actor);
    this.#options.grants.refuseOver(owner, actor);
    if (wanted.expires_at != null && epochOf(wanted.expires_at) <= this.#options.now()) {
      throw refuseField('invalid_field', 'expires_at', why('in_past'));
    }
    return this.#options.transact(() => {
      const { key, ...record } = this.#options.keys.create(owner.unique_id, wanted);
      this.#options.audit.record({
        kind: 'apikey.create',
        actor,
        target: record.key_id,
        after: { ...record, user_id: owner.unique_id },
      });
      return { ...record, key };
    });
  }

  /**
   * Revokes a key for ever. Throws `forbidden` for the key of a user with permissions that the actor lacks,
   * `not_found`, `conflict` for one already revoked.
   */
  revoke({ userId, keyId }: { userId: string; keyId: string }, actor: Actor): ApiKey {
    const owner = this.#owner(userId, actor);
    if (owner.unique_id !== actor.user_id) this.#options.grants.refuseOver(owner, actor);
    return this.#options.transact(() => {
      const before = this.#key(owner, keyId);
      if (before.revoked_at !== null) throw new Refusal('conflict', why('key_revoked'));
      this.#options.keys.revoke(keyId);
      const after = this.#key(owner, keyId);
      this.#options.audit.record({ kind: 'apikey.revoke', actor, target: keyId, before, after });
      return after;
    });
  }

  #key(owner: User, keyId: string): ApiKey {
    const key = this.#options.keys.get(owner.unique_id, keyId);
    if (key === undefined) throw new Refusal('not_found', 'this user has no such key');
    return key;
  }

  #owner(userId: string, actor: Actor): User {
    refuseStranger(userId, actor);
    const owner = this.#options.users.get(userId);
    if (owner === undefined) throw new Refusal('not_found', 'there is no such user');
    return owner;
  }
}
