import { budgets, type Budget } from '../../contract/budget.ts';
import { Refusal } from '../../contract/errors.ts';
import { addressGroup } from '../address-group.ts';
import { TokenBuckets } from '../token-buckets.ts';

/** Calls a minute of one caller; by default the contract's. */
export type RateLimits = Partial<Record<Budget, number>>;

/** A caller as the limits count it. */
export interface Caller {
  address: string | null;
  /** The id of a valid key. An invalid one counts for its address, so that a stream of invented keys gains nothing. */
  key_id: string | null;
  /** The id of a valid session: those who share an address with strangers share no budget with them. */
  session_id: string | null;
}

/** The key under which a call is counted. */
export function callerName({ address, key_id, session_id }: Caller): string {
  return key_id ?? session_id ?? addressGroup(address ?? '');
}

/** A caller without a login. */
export function nobodyAt(address: string): Caller {
  return { address, key_id: null, session_id: null };
}

/** Refuses callers that exceed their limits. */
export class RateLimiter {
  readonly #buckets: ReadonlyMap<Budget, TokenBuckets>;

  constructor(limits: RateLimits, nowMs: () => number) {
    this.#buckets = new Map(
      Object.entries({ ...budgets, ...limits }).map(([budget, perMinute]) => [
        budget as Budget, // a key of budgets
        new TokenBuckets({ perMinute, now_ms: nowMs }),
      ]),
    );
  }

  /** Counts a call. Throws `rate_limited` with `Retry-After`. */
  count(budget: Budget, { address, key_id, session_id }: Caller): void {
    const wait_s = this.#buckets.get(budget)?.take(callerName({ address, key_id, session_id })) ?? 0;
    if (wait_s === 0) return;
    const headers = { 'Retry-After': String(wait_s) };
    throw new Refusal('rate_limited', `too many requests; try again in ${wait_s} s`, { headers });
  }
}
