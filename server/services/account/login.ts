import { isoOf } from '../../contract/time.ts';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { Now } from '../../auth/now.ts';
import type { PasswordCheck } from '../../auth/password-check.ts';
import type { FactorOutcome, SecondFactors } from '../../auth/second-factors.ts';
import type { Sessions, StartedSession } from '../../auth/sessions.ts';
import type { authEndpoints, Login, Session } from '../../contract/auth.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { Refusal } from '../../contract/errors.ts';
import { permissions } from '../../contract/permission.ts';
import type { User } from '../../contract/user.ts';
import type { RoleRepository } from '../../db/repositories/role.ts';
import type { UserRepository } from '../../db/repositories/user.ts';
import type { LaterWrites } from '../../db/later-writes.ts';

export interface LoginOptions {
  users: UserRepository;
  roles: RoleRepository;
  sessions: Sessions;
  passwordCheck: PasswordCheck;
  factors: SecondFactors;
  audit: AuditSink;
  later: LaterWrites;
  now: Now;
}

interface LoggedIn extends Pick<StartedSession, 'token' | 'maxAge_s'> {
  session: Session;
}

type Started = { user: User; started: StartedSession };

/** Log-in, log-out, and the session of a call. */
export class LoginService {
  readonly #options: LoginOptions;

  constructor(options: LoginOptions) {
    this.#options = options;
  }

  /**
   * Starts a session, with `token` for its cookie. Throws `invalid_credentials` alike for a wrong password, an unknown
   * user and a disabled one; with the right password `totp_required` or `totp_invalid`; `locked_out`, `rate_limited`.
   */
  async logIn({ username, password, totp }: Login, actor: Actor): Promise<LoggedIn> {
    const { userId, attempt } = await this.#options.passwordCheck.check({ username, password }, actor.address);
    if (userId === undefined) throw this.#failed(username, actor);
    const outcome = this.#options.later.together(() => this.#enter({ userId, totp }, actor));
    if (outcome === 'missing') {
      attempt.abandoned();
      throw refuse('totp_required', 'send the code of your authenticator, or a recovery code, as totp');
    }
    if (outcome === 'wrong') throw this.#failed(username, actor, 'totp_invalid');
    attempt.succeeded();
    const { user, started } = outcome;
    const session = { user, permissions: this.#permissionsOf(user), csrf_token: started.csrf_token };
    return { session, token: started.token, maxAge_s: started.maxAge_s };
  }

  /** Ends the session of the call. Throws `forbidden` for a call by key. */
  logOut(actor: Actor): void {
    const { session_id } = actor;
    if (session_id === null) throw new Refusal('forbidden', 'a key has no session to end: revoke it instead');
    this.#options.later.together(() => {
      this.#options.sessions.end(session_id);
      this.#options.audit.record({ kind: 'auth.logout', actor });
    });
  }

  /** Who makes the call, with which permissions. */
  session(actor: Actor): AnswerOf<typeof authEndpoints.session> {
    const user = actor.user_id === null ? undefined : this.#options.users.get(actor.user_id);
    if (user === undefined) throw new Error('a caller without an account was let in');
    const csrf_token = actor.session_id === null ? undefined : this.#options.sessions.csrfTokenOf(actor.session_id);
    return { user, permissions: this.#permissionsOf(user), csrf_token: csrf_token ?? null };
  }

  #enter({ userId, totp }: { userId: string; totp: string | undefined }, actor: Actor): Started | 'missing' | 'wrong' {
    const factor = this.#options.factors.take(userId, totp);
    return factor === 'missing' || factor === 'wrong' ? factor : this.#start({ userId, factor }, actor);
  }

  /** The name typed for an unknown user is not recorded: it may be a password. */
  #failed(
    username: string,
    actor: Actor,
    code: 'invalid_credentials' | 'totp_invalid' = 'invalid_credentials',
  ): Refusal {
    const known = this.#options.users.findLogin(username);
    if (known !== undefined) {
      this.#options.audit.record({ kind: 'auth.login_failed', actor, target: known.unique_id, after: { code } });
    }
    if (code === 'totp_invalid') return refuse(code, 'the code is wrong, too old, or was used before');
    return refuse(code, 'the username or the password is wrong');
  }

  #start({ userId, factor }: { userId: string; factor: FactorOutcome }, actor: Actor): Started {
    const { users, sessions, audit, later, now } = this.#options;
    const at = isoOf(now());
    later.put({ name: `login ${userId}`, write: () => users.loggedIn(userId, actor.address, at) });
    const found = users.get(userId);
    if (found === undefined) throw new Error(`user ${userId} went away while it was logged in`);
    const user = { ...found, last_login_at: at };
    const started = sessions.start(userId, actor.address);
    const { username, role } = user;
    audit.record({
      kind: 'auth.login',
      actor: { ...actor, user_id: userId, username, role, session_id: started.session_id },
      ...(factor !== 'not needed' && { after: { second_factor: factor } }),
    });
    return { user, started };
  }

  #permissionsOf({ role }: User): Session['permissions'] {
    const held = this.#options.roles.permissionsOf(role) ?? [];
    return permissions.filter((permission) => held.includes(permission));
  }
}

function refuse(code: 'invalid_credentials' | 'totp_required' | 'totp_invalid', detail: string): Refusal {
  return new Refusal(code, detail, { headers: { 'WWW-Authenticate': 'ApiKey' } });
}
