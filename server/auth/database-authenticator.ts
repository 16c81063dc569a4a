import type { Database } from '../db/open.ts';
import { onAccountChange } from '../db/account-changes.ts';
import type { OtherCommits } from '../db/content-version.ts';
import type { RoleRepository } from '../db/repositories/role.ts';
import type { UserRepository } from '../db/repositories/user.ts';
import type { Actor } from './actor.ts';
import type { ApiKeys } from './api-keys.ts';
import type { Authenticated, Authenticator, Credentials } from './authenticator.ts';
import type { Now } from './now.ts';
import { digest } from './secret.ts';
import type { Sessions } from './sessions.ts';

interface AuthenticatorOptions {
  db: Database;
  /** Of the same connection. */
  otherCommits: OtherCommits;
  users: UserRepository;
  roles: RoleRepository;
  sessions: Sessions;
  keys: ApiKeys;
  now: Now;
}

/** A valid credential, with everything that a request needs to know about it. */
interface Known {
  actor: Omit<Actor, 'address'>;
  csrf_token: string | null;
  endsAt(): number;
  /** Stores, at most once a minute, that it was used. */
  use(): void;
}

/** Identifies callers by sessions and keys in orangery.db. A session wins over a key. */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  return new DatabaseAuthenticator(options);
}

/**
 * Remembers valid credentials, so that a request costs no query. Everything is forgotten when this connection changes
 * an account, or any other connection (the command line, a worker) commits.
 */
class DatabaseAuthenticator implements Authenticator {
  readonly #options: AuthenticatorOptions;
  readonly #known = new Map<string, Known>();
  #seenCommits: number;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
    this.#seenCommits = options.otherCommits();
    onAccountChange(options.db, () => {
      this.#known.clear();
    });
  }

  authenticate({ address, session_cookie, api_key }: Credentials): Authenticated | null {
    this.#forgetWhatOthersChanged();
    const known = this.#bySession(session_cookie) ?? this.#byKey(api_key);
    if (known === undefined) return null;
    known.use();
    return { actor: { ...known.actor, address }, csrf_token: known.csrf_token };
  }

  #forgetWhatOthersChanged(): void {
    const commits = this.#options.otherCommits();
    if (commits === this.#seenCommits) return;
    this.#seenCommits = commits;
    this.#known.clear();
  }

  #bySession(cookie: string | undefined): Known | undefined {
    if (cookie === undefined) return undefined;
    return this.#recall(`session ${hashed(cookie)}`, () => this.#loadSession(cookie));
  }

  #byKey(sent: Credentials['api_key']): Known | undefined {
    if (sent === undefined) return undefined;
    // In a query an unescaped plus arrives as a space.
    const key = sent.carrier === 'query' ? sent.key.replaceAll(' ', '+') : sent.key;
    return this.#recall(`key ${hashed(key)}`, () => this.#loadKey(key));
  }

  #recall(name: string, load: () => Known | undefined): Known | undefined {
    const known = this.#known.get(name) ?? load();
    if (known === undefined || known.endsAt() <= this.#options.now()) {
      this.#known.delete(name);
      return undefined;
    }
    this.#known.set(name, known);
    return known;
  }

  #loadSession(cookie: string): Known | undefined {
    const { sessions } = this.#options;
    const row = sessions.find(cookie);
    if (row === undefined) return undefined;
    const actor = this.#loadActor(row.user_id, { key_id: null, session_id: row.session_id, scope: 'full' });
    let current = row;
    return (
      actor && {
        actor,
        csrf_token: row.csrf_token,
        endsAt: () => sessions.endOf(current),
        use: () => {
          current = sessions.use(current);
        },
      }
    );
  }

  #loadKey(key: string): Known | undefined {
    const { keys } = this.#options;
    const row = keys.find(key);
    if (row === undefined) return undefined;
    const actor = this.#loadActor(row.user_id, {
      key_id: row.key_id,
      key_name: row.name,
      session_id: null,
      scope: row.scope,
    });
    let current = row;
    return (
      actor && {
        actor,
        csrf_token: null,
        endsAt: () => keys.endOf(row),
        use: () => {
          current = keys.use(current);
        },
      }
    );
  }

  #loadActor(
    userId: string,
    credential: Pick<Actor, 'key_id' | 'key_name' | 'session_id' | 'scope'>,
  ): Omit<Actor, 'address'> | undefined {
    const user = this.#options.users.get(userId);
    if (user?.is_enabled !== true) return undefined;
    const { unique_id, username, role } = user;
    const permissions = new Set(this.#options.roles.permissionsOf(role));
    return { user_id: unique_id, username, role, permissions, ...credential };
  }
}

function hashed(credential: string): string {
  return digest(credential).toString('base64');
}
