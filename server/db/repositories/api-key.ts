import type { Database, Statement } from 'better-sqlite3';
import type { ApiKey } from '../../contract/api-key.ts';

export interface ApiKeyRow extends ApiKey {
  user_id: string;
  key_hash: Buffer;
}

const listed = 'key_id, name, scope, created_at, expires_at, last_used_at, revoked_at';

/** The API keys of orangery.db, found by their SHA-256. A revoked key stays as a record. */
export class ApiKeyRepository {
  readonly #db: Database;
  readonly #byHash: Statement<[Buffer], ApiKeyRow>;
  readonly #used: Statement<[string, string]>;

  constructor(db: Database) {
    this.#db = db;
    this.#byHash = db.prepare(`SELECT ${listed}, user_id, key_hash FROM api_keys WHERE key_hash = ?`);
    this.#used = db.prepare('UPDATE api_keys SET last_used_at = ? WHERE key_id = ?');
  }

  findByHash(hash: Buffer): ApiKeyRow | undefined {
    return this.#byHash.get(hash);
  }

  listOf(userId: string): ApiKey[] {
    return this.#db
      .prepare<[string], ApiKey>(`SELECT ${listed} FROM api_keys WHERE user_id = ? ORDER BY created_at, key_id`)
      .all(userId);
  }

  get(userId: string, keyId: string): ApiKey | undefined {
    return this.#db
      .prepare<[string, string], ApiKey>(`SELECT ${listed} FROM api_keys WHERE user_id = ? AND key_id = ?`)
      .get(userId, keyId);
  }

  insert(row: ApiKeyRow): void {
    this.#db
      .prepare(
        `INSERT INTO api_keys (${listed}, user_id, key_hash)
         VALUES (@key_id, @name, @scope, @created_at, @expires_at, @last_used_at, @revoked_at, @user_id, @key_hash)`,
      )
      .run(row);
  }

  used(keyId: string, at: string): void {
    this.#used.run(at, keyId);
  }

  /** Ends for good those that expired at `at` or before, whatever a clock shows later; returns how many. */
  endExpired(at: string): number {
    const due = 'revoked_at IS NULL AND expires_at <= ?';
    if (this.#db.prepare(`SELECT 1 FROM api_keys WHERE ${due}`).get(at) === undefined) return 0;
    return this.#db.prepare(`UPDATE api_keys SET revoked_at = expires_at WHERE ${due}`).run(at).changes;
  }

  revoke(keyId: string, at: string): void {
    this.#db.prepare('UPDATE api_keys SET revoked_at = ? WHERE key_id = ?').run(at, keyId);
  }
}
