import { messageOf } from '../../../contract/message-of.ts';
import { Backoff } from '../../backoff.ts';
import type { Clock } from '../../clock.ts';

const longestPauseMs = 30_000;
/**
 * After this many failures in a row, and again after as many more, a sensor that has a power output is power-cycled.
 */
const failuresUntilPowerCycle = 5;

interface FaultHost {
  clock: Clock;
  /** Called when the reason of the fault changes. */
  changed: () => void;
  /** Switches the sensor's power off for a while; resolves at once if it has no power output. */
  cyclePower: () => Promise<void>;
}

/** Counts a sensor's failures in a row, reports them, and decides how long to pause. */
export class InputFaults {
  readonly #host: FaultHost;
  #backoff: Backoff;
  #reason: string | null = null;
  #failures = 0;
  #isWithoutPower = false;
  /** A failing device is not read before this time, elapsed ms. */
  #pauseUntil = -Infinity;

  constructor(host: FaultHost, periodMs: number) {
    this.#host = host;
    this.#backoff = newBackoff(periodMs);
  }

  /** Why the input fails; null when it does not. */
  get reason(): string | null {
    return this.#reason;
  }

  /** Whether the device must not be read now. */
  get isResting(): boolean {
    return this.#isWithoutPower || this.#host.clock.elapsed() < this.#pauseUntil;
  }

  /** Pauses follow another period from now on. */
  changePeriod(periodMs: number): void {
    this.#backoff = newBackoff(periodMs);
  }

  /** Another device is read at once. */
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

  /** A reading failed: the pause before the next one grows with each failure. */
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
