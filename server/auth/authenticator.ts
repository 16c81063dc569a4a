import type { Actor } from './actor.ts';

/** What a request brought along to say who makes it. */
export interface Credentials {
  /** Peer address. */
  address: string;
  api_key?: { key: string; carrier: 'basic' | 'header' | 'query' };
  /** Value of the session cookie. */
  session_cookie?: string;
}

export interface Authenticated {
  actor: Actor;
  /** What a modifying request must send as X-CSRF-Token; null for a key, which no page can send by itself. */
  csrf_token: string | null;
}

/** Tells who makes a call. Asked on every request, so implementers cache what is costly. */
export interface Authenticator {
  /** null when nothing was sent that is valid now. A key and a session cookie never come together: the key wins. */
  authenticate(credentials: Credentials): Authenticated | null;
}
