import { messageOf } from '../../contract/message-of.ts';
import type { NotificationTarget } from '../../contract/notification-target.ts';
import { deliveryFaultOf } from '../../outbound/delivery-fault.ts';
import { endsWithin } from '../../outbound/ends-within.ts';

const minuteMs = 60_000;

type Receipt = Omit<NonNullable<NotificationTarget['last_result']>, 'at'>;

interface CourseOptions {
  /** Monotonic ms: setting the clock must not silence a target. */
  elapsed: () => number;
  /** Maximum time for one delivery. */
  limitMs: number;
  firstRetryMs: number;
  longestRetryMs: number;
}

/** The deliveries to one target since the service started: one at a time, with growing pauses after failures. */
export class TargetCourse {
  readonly #options: CourseOptions;
  #sentMs: number[] = [];
  #failures = 0;
  #notBeforeMs = -Infinity;
  #isSending = false;

  constructor(options: CourseOptions) {
    this.#options = options;
  }

  /** Deliveries in the last minute. */
  sent(): number {
    const { elapsed } = this.#options;
    this.#sentMs = this.#sentMs.filter((atMs) => atMs > elapsed() - minuteMs);
    return this.#sentMs.length;
  }

  /** Whether one may start now, with at most `mostPerMinute` a minute. */
  isFree(mostPerMinute: number): boolean {
    return !this.#isSending && this.#options.elapsed() >= this.#notBeforeMs && this.sent() < mostPerMinute;
  }

  /** Delivers once; never rejects. `message` is the target's answer, or why there was none. */
  async run(deliver: () => Promise<string>): Promise<Receipt> {
    const { elapsed, limitMs } = this.#options;
    this.#isSending = true;
    try {
      const message = await endsWithin(limitMs, deliver);
      this.#sentMs.push(elapsed());
      this.#failures = 0;
      return { is_delivered: true, fault: null, message };
    } catch (error) {
      this.#retryLater();
      return { is_delivered: false, fault: deliveryFaultOf(error), message: messageOf(error) };
    } finally {
      this.#isSending = false;
    }
  }

  #retryLater(): void {
    const { elapsed, firstRetryMs, longestRetryMs } = this.#options;
    this.#notBeforeMs = elapsed() + Math.min(firstRetryMs * 2 ** this.#failures, longestRetryMs);
    this.#failures += 1;
  }
}
