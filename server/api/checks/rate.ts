import { Refusal } from '../../contract/errors.ts';
import { TokenBuckets } from '../token-buckets.ts';

export interface RateLimits {
  /** Modifying requests a minute of one key or address; 600 when absent. */
  modifyingPerMinute?: number;
  /** Log-ins and other public calls that try a secret, a minute and address; 20 when absent. */
  loginsPerMinute?: number;
}

/** Who calls, as the limits count. */
export interface Caller {
  address: string;
  /** Of a valid key. An invalid one counts for its address, so that a stream of invented keys gains nothing. */
  key_id: string | null;
}

/** Refuses those who call too often. */
export class RateLimiter {
  readonly #modifying: TokenBuckets;
  readonly #logins: TokenBuckets;

  constructor(limits: RateLimits, now_ms: () => number) {
    this.#modifying = new TokenBuckets({ perMinute: limits.modifyingPerMinute ?? 600, now_ms });
    this.#logins = new TokenBuckets({ perMinute: limits.loginsPerMinute ?? 20, now_ms });
  }

  /** Counts a modifying request. Throws `rate_limited` with `Retry-After`. */
  countModifying(caller: Caller): void {
    refuseFor(this.#modifying.take(caller.key_id ?? caller.address));
  }

  /** Counts a try of a password or token. Throws `rate_limited` with `Retry-After`. */
  countLogin(address: string): void {
    refuseFor(this.#logins.take(address));
  }
}

function refuseFor(wait_s: number): void {
  if (wait_s === 0) return;
  const headers = { 'Retry-After': String(wait_s) };
  throw new Refusal('rate_limited', `too many requests; try again in ${wait_s} s`, { headers });
}
