import { Backoff } from '../../backoff.ts';
import type { OutputValue } from '../../drivers/driver.ts';

const firstRetryMs = 1_000;
const longestRetryMs = 30_000;

/**
 * The value last sent to the driver, so that nothing is written twice, and when a failed write is retried. Times are
 * elapsed ms.
 */
export class ChannelAttempt {
  readonly #backoff = new Backoff(firstRetryMs, longestRetryMs);
  #target: OutputValue | null = null;
  #retry: { value: OutputValue; atMs: number } | undefined;

  /** null when the next value must be written even if it was sent before. */
  get target(): OutputValue | null {
    return this.#target;
  }

  /** Infinity when no retry is due. */
  get retryAt(): number {
    return this.#retry?.atMs ?? Infinity;
  }

  begin(value: OutputValue): void {
    this.#target = value;
    this.#retry = undefined;
  }

  /** Records where the device stands without a write of ours; null when unknown. */
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

  /** Whether to write this value now. */
  isDue(value: OutputValue, nowMs: number): boolean {
    const isRetryEarly = this.#retry !== undefined && this.#retry.value === value && nowMs < this.#retry.atMs;
    return value !== this.#target && !isRetryEarly;
  }
}
