/**
 * Lets one piece of work begin at a time, in the order they came, and the event loop turn between two: sockets, timers and whoever
 * need not queue get theirs in between, however much waits here.
 */
export class Turnstile {
  readonly #waiting: (() => void)[] = [];
  #isBusy = false;

  /** Resolves when it is one's turn. What follows should take a few ms at most: everybody waits for it. */
  pass(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#isBusy) this.#next();
    });
  }

  #next(): void {
    const next = this.#waiting.shift();
    this.#isBusy = next !== undefined;
    if (next === undefined) return;
    next();
    setImmediate(() => this.#next());
  }
}
