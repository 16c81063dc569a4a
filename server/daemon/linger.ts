import type { Clock, Timer } from './clock.ts';

/**
 * How long a daemon runs without a server: from the loss of the one that started it, or from the last request of one
 * that adopted it.
 */
export class Linger {
  readonly #clock: Clock;
  readonly #lingerS: number | null;
  readonly #end: () => void;
  #isLost = false;
  #timer: Timer | undefined;

  /** `lingerS` null means for ever. */
  constructor(clock: Clock, lingerS: number | null, end: () => void) {
    this.#clock = clock;
    this.#lingerS = lingerS;
    this.#end = end;
  }

  /** The server that started the daemon is gone. */
  lost(): void {
    this.#isLost = true;
    this.#count();
  }

  /** A server that has adopted the daemon asks for its status every second. */
  asked(): void {
    if (this.#isLost) this.#count();
  }

  #count(): void {
    this.#timer?.cancel();
    if (this.#lingerS !== null) this.#timer = this.#clock.after(this.#lingerS * 1000, this.#end);
  }
}
