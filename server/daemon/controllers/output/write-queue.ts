import { deviceSays } from '../../../contract/device-words.ts';
import type { Clock, Timer } from '../../clock.ts';
import { DriverError, type Actuating, type OutputValue } from '../../drivers/driver.ts';
import { cannotAnswer, confirmed, failed, resultOfError, type Result } from '../../drivers/outcomes.ts';

/** The longest that a driver may take for one write, ms; one that ignores its signal gets half a second more. */
const writeTimeoutMs = 10_000;
const abortGraceMs = 500;

export interface WriteTarget {
  channel: number;
  clock: Clock;
  /** Throws DriverError `unreachable` while there is no device. */
  device: () => Actuating;
  /** Called when the device completes a write that was already given up: it may have undone what was sent after it. */
  cameLate: () => void;
}

interface Queued {
  value: OutputValue;
  resolve: (result: Result) => void;
}

/** Sends values to one channel, one at a time. Meanwhile only the newest waits: older ones are never sent. */
export class WriteQueue {
  readonly #target: WriteTarget;
  #next: Queued | undefined;
  #isBusy = false;
  #sending: OutputValue | null = null;
  #giveUp: ((reason: DriverError) => void) | undefined;

  constructor(target: WriteTarget) {
    this.#target = target;
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** The value on its way to the device. */
  get sending(): OutputValue | null {
    return this.#sending;
  }

  /** Gives up the write under way; whether it was carried out is then unknown. */
  preempt(): void {
    this.#giveUp?.(new DriverError('timed_out', deviceSays('given_up')));
  }

  /** Resolves when the device answered, refused or timed out; never rejects. */
  write(value: OutputValue): Promise<Result> {
    this.#next?.resolve(failed('superseded', 'a newer command took its place before it was sent'));
    return new Promise((resolve) => {
      this.#next = { value, resolve };
      if (!this.#isBusy) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    for (let next = this.#take(); next !== undefined; next = this.#take()) {
      const result = await this.#send(next.value);
      this.#isBusy = this.#next !== undefined;
      next.resolve(result);
    }
  }

  #take(): Queued | undefined {
    const next = this.#next;
    this.#next = undefined;
    return next;
  }

  async #send(value: OutputValue): Promise<Result> {
    const { clock, channel, device, cameLate } = this.#target;
    const abort = new AbortController();
    const over = Promise.withResolvers<never>();
    let grace: Timer | undefined;
    let isGivenUp = false;
    this.#giveUp = (reason) => {
      abort.abort(reason);
      grace ??= clock.after(abortGraceMs, () => {
        isGivenUp = true;
        over.reject(reason);
      });
    };
    const timer = clock.after(writeTimeoutMs, () => this.#giveUp?.(timedOut()));
    this.#sending = value;
    try {
      const sent = device().write(channel, value, abort.signal);
      sent.then(
        () => isGivenUp && cameLate(),
        () => undefined, // reported below, or given up
      );
      const { acknowledged } = await Promise.race([sent, over.promise]);
      return acknowledged ? confirmed : cannotAnswer;
    } catch (error) {
      return resultOfError(abort.signal.aborted ? abort.signal.reason : error);
    } finally {
      timer.cancel();
      grace?.cancel();
      this.#giveUp = undefined;
      this.#sending = null;
    }
  }
}

function timedOut(): DriverError {
  return new DriverError('timed_out', deviceSays('no_answer_s', { s: writeTimeoutMs / 1000 }));
}
