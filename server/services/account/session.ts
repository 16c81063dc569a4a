import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { Sessions } from '../../auth/sessions.ts';
import type { SessionListed } from '../../contract/auth.ts';
import { Refusal } from '../../contract/errors.ts';
import type { Transact } from '../../db/transaction.ts';

export interface SessionOptions {
  sessions: Sessions;
  audit: AuditSink;
  transact: Transact;
}

/** One's own sessions: lists them and ends them. */
export class SessionService {
  readonly #options: SessionOptions;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  list(actor: Actor): SessionListed[] {
    if (actor.user_id === null) throw new Error('a caller without an account was let in');
    return this.#options.sessions.listOf(actor.user_id).map((row) => ({
      session_id: row.session_id,
      created_at: row.created_at,
      last_seen_at: row.last_seen_at,
      expires_at: row.expires_at,
      address: row.address,
      is_current: row.session_id === actor.session_id,
    }));
  }

  /** `sessionId` in lower case. Throws `not_found`, also for another user's session. */
  end(sessionId: string, actor: Actor): void {
    this.#options.transact(() => {
      const ending = this.list(actor).find(({ session_id }) => session_id === sessionId);
      if (ending === undefined) throw new Refusal('not_found', 'you have no such session');
      this.#options.sessions.end(sessionId);
      this.#options.audit.record({ kind: 'auth.session_end', actor, target: sessionId, before: ending });
    });
  }
}
