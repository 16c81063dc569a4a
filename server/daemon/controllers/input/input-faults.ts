import { messageOf } from '../../../contract/message-of.ts';
import { Backoff } from '../../backoff.ts';
import type { Clock } from '../../clock.ts';

const longestPauseMs = 30_000;
/** So many failures in a row, and every so many more, take the power from a sensor that has an output for it. */
const failuresUntilPowerCycle = 5;

interface FaultHost {
  clock: Clock;
  /** The reason why the input fails has changed. */
  changed: () => void;
  /** Takes the power from the sensor for a while; at once over where it has no output for that. */
  cyclePower: () => Promise<void>;
}

/** How often a sensor failed in a row, what is told of that, and how long it is left in peace. */
export class InputFaults {
  readonly #host: FaultHost;
  #backoff: Backoff;
  #reason: string | null = null;
  #failures = 0;
  #isWithoutPower = false;
  /** Elapsed ms before which a failing device is left in peace. */
  #pauseUntil = -Infinity;

  constructor(host: FaultHost, periodMs: number) {
    this.#host = host;
    this.#backoff = newBackoff(periodMs);
  }

  /** Why the input fails; null when it does not. */
  get reason(): string | null {
    return this.#reason;
  }

  /** Whether the device is not to be asked now. */
  get isResting(): boolean {
    return this.#isWithoutPower || this.#host.clock.elapsed() < this.#pauseUntil;
  }

  /** Pauses go by another period from now on. */
  changePeriod(periodMs: number): void {
    this.#backoff = newBackoff(periodMs);
  }

  /** Another device is asked at once. */
  endPause(): void {
    this.#pauseUntil = -Infinity;
  }

  connected(): void {
    this.#tell(null);
  }

  succeeded(): void {
    this.#backoff.reset();
    this.#failures = 0;
    this.#tell(null);
  }

  /** A reading failed: the next one waits, longer after each failure. */
  readingFailed(reason: string): void {
    this.#pauseUntil = this.#host.clock.elapsed() + this.#backoff.next();
    this.failed(reason);
  }

  failed(reason: string): void {
    this.#failures += 1;
    this.#tell(reason);
    if (this.#failures % failuresUntilPowerCycle === 0 && !this.#isWithoutPower) void this.#cyclePower();
  }

  async #cyclePower(): Promise<void> {
    this.#isWithoutPower = true;
    try {
      await this.#host.cyclePower();
    } catch (error) {
      this.#tell(messageOf(error));
    } finally {
      this.#isWithoutPower = false;
    }
  }

  #tell(reason: string | null): void {
    if (reason === this.#reason) return;
    this.#reason = reason;
    this.#host.changed();
  }
}

function newBackoff(periodMs: number): Backoff {
  return new Backoff(periodMs / 2, longestPauseMs);
}
