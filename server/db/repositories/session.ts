import type { Database, Statement } from 'better-sqlite3';

export interface SessionRow {
  session_id: string;
  token_hash: Buffer;
  csrf_token: string;
  user_id: string;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
  /** The address that started it. */
  address: string | null;
}

const columns = 'session_id, token_hash, csrf_token, user_id, created_at, last_seen_at, expires_at, address';

/** The log-in sessions of orangery.db, found by the SHA-256 of their cookie. */
export class SessionRepository {
  readonly #db: Database;
  readonly #byHash: Statement<[Buffer], SessionRow>;
  readonly #seen: Statement<[string, string]>;

  constructor(db: Database) {
    this.#db = db;
    this.#byHash = db.prepare(`SELECT ${columns} FROM sessions WHERE token_hash = ?`);
    this.#seen = db.prepare('UPDATE sessions SET last_seen_at = ? WHERE session_id = ?');
  }

  findByHash(hash: Buffer): SessionRow | undefined {
    return this.#byHash.get(hash);
  }

  get(id: string): SessionRow | undefined {
    return this.#db.prepare<[string], SessionRow>(`SELECT ${columns} FROM sessions WHERE session_id = ?`).get(id);
  }

  insert(row: SessionRow): void {
    this.#db
      .prepare(
        `INSERT INTO sessions (${columns})
         VALUES (@session_id, @token_hash, @csrf_token, @user_id, @created_at, @last_seen_at, @expires_at, @address)`,
      )
      .run(row);
  }

  seen(id: string, at: string): void {
    this.#seen.run(at, id);
  }

  remove(id: string): void {
    this.#db.prepare('DELETE FROM sessions WHERE session_id = ?').run(id);
  }

  /** Last used first. */
  listOf(userId: string): SessionRow[] {
    return this.#db
      .prepare<[string], SessionRow>(
        `SELECT ${columns} FROM sessions WHERE user_id = ? ORDER BY last_seen_at DESC, created_at DESC`,
      )
      .all(userId);
  }

  /** Removes a user's sessions, except `keep`. */
  removeOfUser(userId: string, keep: string | null): void {
    this.#db.prepare('DELETE FROM sessions WHERE user_id = ? AND session_id IS NOT ?').run(userId, keep);
  }

  /** Removes the sessions of all users with a role, except `keep`. */
  removeOfRole(role: string, keep: string | null): void {
    this.#db
      .prepare(
        `DELETE FROM sessions
         WHERE user_id IN (SELECT unique_id FROM users WHERE role = ?) AND session_id IS NOT ?`,
      )
      .run(role, keep);
  }

  /** Removes what ended by `now` or was last used by `idleSince`. */
  removeEnded(now: string, idleSince: string): void {
    this.#db.prepare('DELETE FROM sessions WHERE expires_at <= ? OR last_seen_at <= ?').run(now, idleSince);
  }
}
