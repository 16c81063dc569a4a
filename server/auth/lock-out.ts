import { isIPv4 } from 'node:net';
import { Refusal } from '../contract/errors.ts';

const minuteMs = 60 * 1000;
const hourMs = 60 * minuteMs;
const failuresToLock = 5; // of one account from one address, with no success between
const lockMs = 10 * minuteMs;
const failuresToSlow = 50; // of one account in an hour, from anywhere
const slowMs = 10 * 1000; // between two tries, then
const maxRemembered = 10_000; // accounts, and pairs of account and address

interface Pair {
  failures: number;
  lastAtMs: number;
}

interface Account {
  failedAtMs: number[];
  lastSlowedAtMs: number;
}

/**
 * An admitted attempt. It counts as a failure from the start, so that many at once get no more attempts than one by
 * one.
 */
export interface Try {
  succeeded(): void;
  /** The password was never checked. */
  abandoned(): void;
}

interface LockOutOptions {
  /** Monotonic ms, for setting the clock back must not lengthen a lock; default the process's. */
  elapsed?: () => number;
  /** Whether the account has ever logged in from the address. */
  knowsAddress(account: string, address: string): boolean;
}

/**
 * Slows down guessing. Five failures lock an account for one address for 10 minutes; from 50 an hour on, all addresses
 * that never succeeded share one attempt in 10 s. Loopback is never delayed: whoever is at the machine has the command
 * line.
 */
export class LockOut {
  readonly #options: Required<LockOutOptions>;
  readonly #pairs = new Map<string, Pair>();
  readonly #accounts = new Map<string, Account>();

  constructor(options: LockOutOptions) {
    this.#options = { elapsed: () => performance.now(), ...options };
  }

  /**
   * Admits an attempt on an account (its folded name), or throws `locked_out` or `rate_limited`, each with Retry-After.
   */
  admit(account: string, address: string | null): Try {
    if (address === null || isLoopback(address)) return { succeeded: () => undefined, abandoned: () => undefined };
    const nowMs = this.#options.elapsed();
    const pair = this.#pair(account, address, nowMs);
    if (pair.failures >= failuresToLock) throw refuse('locked_out', 'too many failed log-ins', lockEnd(pair) - nowMs);
    const all = this.#account(account, nowMs);
    this.#slow(all, account, address);
    return count(pair, all, nowMs);
  }

  #slow(all: Account, account: string, address: string): void {
    if (all.failedAtMs.length < failuresToSlow || this.#options.knowsAddress(account, address)) return;
    const nowMs = this.#options.elapsed();
    const waitMs = all.lastSlowedAtMs + slowMs - nowMs;
    if (waitMs > 0) throw refuse('rate_limited', 'too many failed log-ins on this account', waitMs);
    all.lastSlowedAtMs = nowMs;
  }

  #pair(account: string, address: string, nowMs: number): Pair {
    const name = `${address} ${account}`;
    const found = this.#pairs.get(name);
    if (found !== undefined && nowMs < (found.failures >= failuresToLock ? lockEnd(found) : found.lastAtMs + hourMs)) {
      return found;
    }
    return remember(this.#pairs, name, { failures: 0, lastAtMs: nowMs });
  }

  #account(account: string, nowMs: number): Account {
    const all =
      this.#accounts.get(account) ?? remember(this.#accounts, account, { failedAtMs: [], lastSlowedAtMs: -Infinity });
    all.failedAtMs = all.failedAtMs.filter((atMs) => nowMs - atMs < hourMs);
    return all;
  }
}

function count(pair: Pair, all: Account, nowMs: number): Try {
  pair.failures += 1;
  pair.lastAtMs = nowMs;
  all.failedAtMs.push(nowMs);
  const uncount = (): void => {
    const index = all.failedAtMs.indexOf(nowMs);
    if (index >= 0) all.failedAtMs.splice(index, 1);
  };
  return {
    succeeded: () => {
      pair.failures = 0;
      uncount();
    },
    abandoned: () => {
      pair.failures = Math.max(0, pair.failures - 1);
      uncount();
    },
  };
}

function lockEnd(pair: Pair): number {
  return pair.lastAtMs + lockMs;
}

/** True for 127.0.0.0/8 and ::1, also as an IPv4 address in IPv6. */
export function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '');
  return plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
}

/** Drops the oldest when there are too many: made-up names must not fill the memory. */
function remember<Value>(map: Map<string, Value>, name: string, value: Value): Value {
  const [oldest] = map.keys();
  if (map.size >= maxRemembered && oldest !== undefined) map.delete(oldest);
  map.delete(name);
  map.set(name, value);
  return value;
}

function refuse(code: 'locked_out' | 'rate_limited', detail: string, waitMs: number): Refusal {
  const seconds = Math.ceil(waitMs / 1000);
  return new Refusal(code, `${detail}, try again in ${seconds} s`, { headers: { 'Retry-After': `${seconds}` } });
}
