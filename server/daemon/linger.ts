import type { Clock, Timer } from './clock.ts';

/** How long a daemon goes on without a server: from the loss of the one that started it, or from the last word of one that adopted it. */
export class Linger {
  readonly #clock: Clock;
  readonly #lingerS: number | null;
  readonly #end: () => void;
  #isLost = false;
  #timer: Timer | undefined;

  /** `lingerS` null is for ever. */
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

  /** Some server asks for the status, as one does every second that has adopted the daemon. */
  asked(): void {
    if (this.#isLost) this.#count();
  }

  #count(): void {
    this.#timer?.cancel();
    if (this.#lingerS !== null) this.#timer = this.#clock.after(this.#lingerS * 1000, this.#end);
  }
}
