import { isoOf } from '../contract/time.ts';
import { randomBytes, randomUUID } from 'node:crypto';
import type { LaterWrites } from '../db/later-writes.ts';
import type { SessionRepository, SessionRow } from '../db/repositories/session.ts';
import type { Now } from './now.ts';
import { digest, isSame } from './secret.ts';

const idleMs = 7 * 24 * 60 * 60 * 1000;
const absoluteMs = 30 * 24 * 60 * 60 * 1000;
const noteEveryMs = 60 * 1000;

export interface StartedSession {
  session_id: string;
  csrf_token: string;
  /** The value of the cookie: 256 random bits. */
  token: string;
  /** How long the browser keeps it, s. */
  maxAge_s: number;
}

/** When a session ends at the latest, and when unless it is used, elapsed ms. */
interface Ends {
  absolute: number;
  idle: number;
}

/**
 * Log-in sessions: a random cookie of which only the digest is stored. They end after 7 days unused, or 30 days in all,
 * by the clock and, as that may be set back, by the time since this process first saw them. What the disk refuses holds
 * in memory until it is stored.
 */
export class Sessions {
  readonly #rows: SessionRepository;
  readonly #now: Now;
  readonly #later: Pick<LaterWrites, 'put'>;
  /** Monotonic ms. */
  readonly #elapsed: () => number;
  /** By session_id: when they end at the latest, elapsed ms. */
  readonly #ends = new Map<string, Ends>();
  /** Started and ended sessions that are not on disk yet. */
  readonly #begun = new Map<string, SessionRow>();
  readonly #ended = new Set<string>();

  constructor(
    rows: SessionRepository,
    now: Now,
    later: Pick<LaterWrites, 'put'>,
    elapsed: () => number = () => performance.now(),
  ) {
    this.#rows = rows;
    this.#now = now;
    this.#later = later;
    this.#elapsed = elapsed;
  }

  start(userId: string, address: string | null): StartedSession {
    const nowMs = this.#now();
    this.#later.put({
      name: 'ended sessions',
      write: () => this.#rows.removeEnded(isoOf(nowMs), isoOf(nowMs - idleMs)),
    });
    const token = randomBytes(32).toString('base64url');
    const row: SessionRow = {
      session_id: randomUUID(),
      token_hash: digest(token),
      csrf_token: randomBytes(32).toString('base64url'),
      user_id: userId,
      created_at: isoOf(nowMs),
      last_seen_at: isoOf(nowMs),
      expires_at: isoOf(nowMs + absoluteMs),
      address,
    };
    this.#begun.set(row.session_id, row);
    this.#forgetEnds();
    this.#endsOf(row);
    const isKept = this.#later.put({
      name: `session ${row.session_id}`,
      write: () => this.#rows.insert(row),
      stored: () => this.#begun.delete(row.session_id),
    });
    if (!isKept) this.#begun.delete(row.session_id);
    return { session_id: row.session_id, csrf_token: row.csrf_token, token, maxAge_s: absoluteMs / 1000 };
  }

  /** The session of a cookie, whether it still runs or not. */
  find(token: string): SessionRow | undefined {
    const hash = digest(token);
    const row = this.#rows.findByHash(hash) ?? [...this.#begun.values()].find((one) => one.token_hash.equals(hash));
    return row !== undefined && isSame(row.token_hash, hash) ? row : undefined;
  }

  /** When the session ends if it is not used again, epoch ms. */
  endOf(row: SessionRow): number {
    if (this.#ended.has(row.session_id)) return -Infinity;
    const { absolute, idle } = this.#endsOf(row);
    const left = Math.min(absolute, idle) - this.#elapsed();
    return Math.min(Date.parse(row.expires_at), Date.parse(row.last_seen_at) + idleMs, this.#now() + left);
  }

  /** Records the use of the session, at most once a minute; returns the row as it is now. */
  use(row: SessionRow): SessionRow {
    const nowMs = this.#now();
    this.#endsOf(row).idle = this.#elapsed() + idleMs;
    if (Math.abs(nowMs - Date.parse(row.last_seen_at)) < noteEveryMs) return row;
    const seen = { ...row, last_seen_at: isoOf(nowMs) };
    const { session_id, last_seen_at } = seen;
    this.#later.put({ name: `seen ${session_id}`, write: () => this.#rows.seen(session_id, last_seen_at) });
    return seen;
  }

  csrfTokenOf(sessionId: string): string | undefined {
    return (this.#rows.get(sessionId) ?? this.#begun.get(sessionId))?.csrf_token;
  }

  /** A user's running sessions, the last used first. */
  listOf(userId: string): SessionRow[] {
    const begun = [...this.#begun.values()].filter((row) => row.user_id === userId);
    return [...begun, ...this.#rows.listOf(userId)].filter((row) => this.endOf(row) > this.#now());
  }

  end(sessionId: string): void {
    this.#ended.add(sessionId);
    this.#later.put({
      name: `end ${sessionId}`,
      write: () => this.#rows.remove(sessionId),
      stored: () => this.#ended.delete(sessionId),
    });
  }

  /** Ends a user's sessions, except `keep`. */
  endOfUser(userId: string, keep: string | null): void {
    this.#rows.removeOfUser(userId, keep);
  }

  /** A session seen for the first time has no longer than its row and its kind allow. */
  #endsOf({ session_id, expires_at, last_seen_at }: SessionRow): Ends {
    const known = this.#ends.get(session_id);
    if (known !== undefined) return known;
    const [now, elapsed] = [this.#now(), this.#elapsed()];
    const absolute = elapsed + Math.min(absoluteMs, Date.parse(expires_at) - now);
    const idle = elapsed + Math.min(idleMs, Date.parse(last_seen_at) + idleMs - now);
    const ends = { absolute, idle };
    this.#ends.set(session_id, ends);
    return ends;
  }

  /** Forgets ended sessions, once their row can no longer say otherwise. */
  #forgetEnds(): void {
    const gone = this.#elapsed() - absoluteMs;
    for (const [id, { absolute }] of this.#ends) if (absolute < gone) this.#ends.delete(id);
  }

  /** Ends the sessions of all users with a role, except `keep`. */
  endOfRole(role: string, keep: string | null): void {
    this.#rows.removeOfRole(role, keep);
  }
}
