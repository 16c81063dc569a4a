import { createHash } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { openCacheFile } from './cache-file.ts';
import { RecentPictures } from './recent-pictures.ts';

/** An answer of a provider. */
export interface Kept {
  body: Buffer;
  type: string;
  /** Of the body, quoted as in a header. */
  etag: string;
  stored_at_ms: number;
}

interface CacheOptions {
  /** Path of the file; made when missing. */
  file: string;
  /** Of all bodies; default 500 MB. */
  budgetBytes?: number;
  /** Epoch ms. */
  now: () => number;
}

const defaultBudgetBytes = 500 * 1024 * 1024;
/** The granularity of stored last uses: a write for each read would wear out a memory card. */
const usedStepMs = 60 * 60_000;
/** Recently read or written bodies are kept in memory. */
const mostRecentBytes = 32 * 1024 * 1024;
/** Entries that one sweep removes, so that it blocks nothing. */
const slice = 100;

/** Answers of outside services on disk, the least recently used dropped first. Losing it only costs requests. */
export class RelayCache {
  readonly #db: Database;
  readonly #now: () => number;
  readonly #budgetBytes: number;
  readonly #recent = new RecentPictures(mostRecentBytes);
  readonly #read;
  readonly #body;
  readonly #length;
  readonly #write;
  readonly #touch;
  readonly #expired;
  readonly #oldest;
  #bytes: number;

  constructor({ file, budgetBytes = defaultBudgetBytes, now }: CacheOptions) {
    this.#db = openCacheFile(file);
    this.#now = now;
    this.#budgetBytes = budgetBytes;
    this.#read = this.#db.prepare<[string], Omit<Kept, 'body'> & { used_at_ms: number; delete_at_ms: number }>(
      'SELECT type, etag, stored_at_ms, used_at_ms, delete_at_ms FROM entry WHERE key = ?',
    );
    this.#body = this.#db.prepare<[string], Buffer>('SELECT body FROM entry WHERE key = ?').pluck();
    this.#length = this.#db.prepare<[string], number>('SELECT length(body) FROM entry WHERE key = ?').pluck();
    this.#write = this.#db.prepare('INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)');
    this.#touch = this.#db.prepare('UPDATE entry SET used_at_ms = ? WHERE key = ?');
    this.#expired = this.#deleting('WHERE delete_at_ms <= ? ORDER BY delete_at_ms');
    this.#oldest = this.#deleting('WHERE used_at_ms <= ? ORDER BY used_at_ms');
    this.#bytes = this.#db
      .prepare<[], number>('SELECT coalesce(sum(length(body)), 0) FROM entry')
      .pluck()
      .get() as number; // a sum is one row
  }

  /** Bytes of the bodies. */
  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Kept | undefined {
    return this.#guarded(() => {
      const nowMs = this.#now();
      const found = this.#read.get(key);
      if (found === undefined || found.delete_at_ms <= nowMs) return undefined;
      if (nowMs - found.used_at_ms > usedStepMs) this.#touch.run(nowMs, key);
      const { type, etag, stored_at_ms } = found;
      const body = this.#recent.get(etag) ?? this.#body.get(key);
      if (body === undefined) return undefined;
      this.#recent.put(etag, body);
      return { body, type, etag, stored_at_ms };
    });
  }

  /** Keeps an answer for this long, ms; 0 keeps nothing, for providers that forbid it. */
  put(key: string, { body, type }: Pick<Kept, 'body' | 'type'>, keepMs: number): Kept {
    const nowMs = this.#now();
    const kept: Kept = {
      body,
      type,
      etag: `"${createHash('sha256').update(body).digest('base64url')}"`,
      stored_at_ms: nowMs,
    };
    if (keepMs <= 0 || body.length > this.#budgetBytes / 10) return kept;
    this.#guarded(() => {
      const before = this.#length.get(key) ?? 0;
      this.#write.run(key, type, kept.etag, body, nowMs, nowMs, nowMs + keepMs);
      this.#bytes += body.length - before;
      this.#bytes -= freed(this.#expired.all(nowMs));
      while (this.#bytes > this.#budgetBytes) {
        const bytes = freed(this.#oldest.all(Number.MAX_SAFE_INTEGER));
        if (bytes === 0) break;
        this.#bytes -= bytes;
      }
    });
    return kept;
  }

  close(): void {
    this.#db.close();
  }

  #deleting(which: string) {
    return this.#db
      .prepare<[number], number>(
        `DELETE FROM entry WHERE key IN (SELECT key FROM entry ${which} LIMIT ${slice}) RETURNING length(body)`,
      )
      .pluck();
  }

  /** A failing disk makes the cache useless, and stops nothing else. */
  #guarded<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch {
      return undefined;
    }
  }
}

function freed(lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => sum + length, 0);
}
