import type { Actor } from './actor.ts';

/** The credentials that a request brings. */
export interface Credentials {
  /** Peer address. */
  address: string;
  api_key?: { key: string; carrier: 'basic' | 'header' | 'query' };
  /** Value of the session cookie. */
  session_cookie?: string;
}

export interface Authenticated {
  actor: Actor;
  /** The X-CSRF-Token that a modifying request must send; null for a key, which no page sends by itself. */
  csrf_token: string | null;
}

/** Identifies callers. Called for every request, so implementations cache what is costly. */
export interface Authenticator {
  /** null when nothing valid was sent. A key and a session cookie never come together: the key wins. */
  authenticate(credentials: Credentials): Authenticated | null;
}
