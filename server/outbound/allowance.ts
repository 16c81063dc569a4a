import { UpstreamError } from './outbound-error.ts';

export interface AllowanceOptions {
  /** Requests a minute on average. */
  perMinute: number;
  /** Requests available at once after a quiet time. */
  atOnce: number;
  /** Monotonic clock in ms. */
  now_ms: () => number;
}

/** Failures in a row that open the breaker. */
const mostFailures = 5;
/** How long the breaker stays open; doubled with each probe that fails, up to the longest, ms. */
const firstPauseMs = 10_000;
const longestPauseMs = 5 * 60_000;

/**
 * The limits of one upstream: a token bucket, and a circuit breaker (Nygard 2007, "Release It!") that after failures in
 * a row lets one probe through at a time.
 */
export class Allowance {
  readonly #options: AllowanceOptions;
  #tokens: number;
  #filledAt_ms: number;
  #failures = 0;
  #openUntil_ms = Number.NEGATIVE_INFINITY;

  constructor(options: AllowanceOptions) {
    this.#options = options;
    this.#tokens = options.atOnce;
    this.#filledAt_ms = options.now_ms();
  }

  /** Takes a permit for one request. Throws `UpstreamError` with `paused`, after which nothing may be sent. */
  take(): void {
    const nowMs = this.#options.now_ms();
    this.#refuseWhileOpen(nowMs);
    const { perMinute, atOnce } = this.#options;
    this.#tokens = Math.min(atOnce, this.#tokens + ((nowMs - this.#filledAt_ms) * perMinute) / 60_000);
    this.#filledAt_ms = nowMs;
    if (this.#tokens < 1) throw paused(((1 - this.#tokens) * 60_000) / perMinute, 'it was asked as often as it may be');
    this.#tokens -= 1;
    // The probe of an open breaker: other requests wait as before until it is back.
    if (this.#failures >= mostFailures) this.#openUntil_ms = nowMs + this.#pauseMs();
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openUntil_ms = Number.NEGATIVE_INFINITY;
  }

  failed(): void {
    this.#failures += 1;
    if (this.#failures >= mostFailures) this.#openUntil_ms = this.#options.now_ms() + this.#pauseMs();
  }

  #pauseMs(): number {
    return Math.min(longestPauseMs, firstPauseMs * 2 ** (this.#failures - mostFailures));
  }

  #refuseWhileOpen(nowMs: number): void {
    if (nowMs < this.#openUntil_ms) throw paused(this.#openUntil_ms - nowMs, 'it failed too often');
  }
}

function paused(waitMs: number, why: string): UpstreamError {
  return new UpstreamError('paused', `${why}; again in ${Math.ceil(waitMs / 1000)} s`);
}
