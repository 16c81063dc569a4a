import { randomBytes, randomUUID } from 'node:crypto';
import type { ApiKey, ApiKeyCreate, NewApiKey } from '../contract/api-key.ts';
import { isoOf } from '../contract/time.ts';
import type { LaterWrites } from '../db/later-writes.ts';
import type { ApiKeyRepository, ApiKeyRow } from '../db/repositories/api-key.ts';
import type { Now } from './now.ts';
import { digest, isSame } from './secret.ts';

const keyLength = 128; // bytes
const keyForm = /^[A-Za-z0-9+/]{171}=$/; // 128 bytes in base64
const noteEveryMs = 60 * 1000;

/** API keys: 128 random bytes shown once, of which only the digest is stored. A revoked key stays as a record. */
export class ApiKeys {
  readonly #rows: ApiKeyRepository;
  readonly #now: Now;
  readonly #later: Pick<LaterWrites, 'put'>;

  constructor(rows: ApiKeyRepository, now: Now, later: Pick<LaterWrites, 'put'>) {
    this.#rows = rows;
    this.#now = now;
    this.#later = later;
  }

  create(userId: string, wanted: ApiKeyCreate): NewApiKey {
    const key = randomBytes(keyLength).toString('base64');
    const record = {
      key_id: randomUUID(),
      name: wanted.name,
      scope: wanted.scope ?? 'full',
      created_at: isoOf(this.#now()),
      expires_at: wanted.expires_at == null ? null : isoOf(wanted.expires_at),
    };
    this.#rows.insert({ ...record, user_id: userId, key_hash: digest(key), last_used_at: null, revoked_at: null });
    return { ...record, key };
  }

  listOf(userId: string): ApiKey[] {
    return this.#rows.listOf(userId);
  }

  get(userId: string, keyId: string): ApiKey | undefined {
    return this.#rows.get(userId, keyId);
  }

  /** Ends the key at once. */
  revoke(keyId: string): void {
    this.#rows.revoke(keyId, isoOf(this.#now()));
  }

  /**
   * Ends for good the keys that expired by a time that has certainly been reached: setting the clock back does not
   * revive them.
   */
  endExpired(trustedMs: number): number {
    return this.#rows.endExpired(isoOf(trustedMs));
  }

  /** The record of a key, whether it is still valid or not. */
  find(key: string): ApiKeyRow | undefined {
    if (!keyForm.test(key)) return undefined;
    const hash = digest(key);
    const row = this.#rows.findByHash(hash);
    return row !== undefined && isSame(row.key_hash, hash) ? row : undefined;
  }

  /** When the key ends, epoch ms: long ago for a revoked one, Infinity without an end. */
  endOf(row: ApiKey): number {
    if (row.revoked_at !== null) return -Infinity; // whatever the clock says
    return row.expires_at === null ? Infinity : Date.parse(row.expires_at);
  }

  /** Records the use of the key, at most once a minute; returns the row as it is now. */
  use(row: ApiKeyRow): ApiKeyRow {
    const nowMs = this.#now();
    if (row.last_used_at !== null && nowMs - Date.parse(row.last_used_at) < noteEveryMs) return row;
    const { key_id } = row;
    const last_used_at = isoOf(nowMs);
    this.#later.put({ name: `used ${key_id}`, write: () => this.#rows.used(key_id, last_used_at) });
    return { ...row, last_used_at };
  }
}
