import { Backoff } from '../../backoff.ts';
import type { OutputValue } from '../../drivers/driver.ts';

const firstRetryMs = 1_000;
const longestRetryMs = 30_000;

/** What was last handed to the driver, so that nothing is moved twice, and when it is tried again. Times are elapsed ms. */
export class ChannelAttempt {
  readonly #backoff = new Backoff(firstRetryMs, longestRetryMs);
  #target: OutputValue | null = null;
  #retry: { value: OutputValue; atMs: number } | undefined;

  /** null when the device is to be told again, whatever it was told. */
  get target(): OutputValue | null {
    return this.#target;
  }

  /** Infinity where nothing is tried again. */
  get retryAt(): number {
    return this.#retry?.atMs ?? Infinity;
  }

  begin(value: OutputValue): void {
    this.#target = value;
    this.#retry = undefined;
  }

  /** It stands there without having been told; null where nobody knows. */
  standsAt(value: OutputValue | null): void {
    this.#target = value;
  }

  succeeded(): void {
    this.#backoff.reset();
  }

  tryAgain(value: OutputValue, nowMs: number): void {
    this.#target = null;
    this.#retry = { value, atMs: nowMs + this.#backoff.next() };
  }

  /** Whether the device is to be told this now. */
  isDue(value: OutputValue, nowMs: number): boolean {
    const isRetryEarly = this.#retry !== undefined && this.#retry.value === value && nowMs < this.#retry.atMs;
    return value !== this.#target && !isRetryEarly;
  }
}
