interface Bucket {
  tokens: number;
  filledAt_ms: number;
}

interface BucketOptions {
  /** Calls a minute; as many may come at once after a quiet minute. */
  perMinute: number;
  /** Monotonic clock in ms. */
  now_ms: () => number;
}

const sweepAbove = 10_000;

/** One token bucket for each caller. Callers that were quiet for a minute are forgotten. */
export class TokenBuckets {
  readonly #perMinute: number;
  readonly #now_ms: () => number;
  readonly #buckets = new Map<string, Bucket>();
  #sweptAt_ms = Number.NEGATIVE_INFINITY;

  constructor(options: BucketOptions) {
    this.#perMinute = options.perMinute;
    this.#now_ms = options.now_ms;
  }

  /** Takes a token; returns 0, or the seconds until there is one. */
  take(caller: string): number {
    const nowMs = this.#now_ms();
    const bucket = this.#fill(caller, nowMs);
    if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) * 60) / this.#perMinute);
    bucket.tokens -= 1;
    return 0;
  }

  /** Callers remembered now. */
  get size(): number {
    return this.#buckets.size;
  }

  #fill(caller: string, nowMs: number): Bucket {
    const bucket = this.#buckets.get(caller);
    if (bucket) {
      const earned = ((nowMs - bucket.filledAt_ms) * this.#perMinute) / 60_000;
      bucket.tokens = Math.min(this.#perMinute, bucket.tokens + earned);
      bucket.filledAt_ms = nowMs;
      return bucket;
    }
    this.#sweep(nowMs);
    const full = { tokens: this.#perMinute, filledAt_ms: nowMs };
    this.#buckets.set(caller, full);
    return full;
  }

  /** At most once a second, so that in a flood of new callers not each one pays for a sweep. */
  #sweep(nowMs: number): void {
    if (this.#buckets.size < sweepAbove || nowMs - this.#sweptAt_ms < 1000) return;
    this.#sweptAt_ms = nowMs;
    for (const [caller, bucket] of this.#buckets) {
      if (nowMs - bucket.filledAt_ms >= 60_000) this.#buckets.delete(caller);
    }
  }
}
