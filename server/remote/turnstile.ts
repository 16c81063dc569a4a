/**
 * Lets one piece of work begin at a time, in order, with a turn of the event loop between two: sockets, timers and work
 * that need not queue get theirs, however much waits here.
 */
export class Turnstile {
  readonly #waiting: (() => void)[] = [];
  #isBusy = false;

  /** Resolves in its turn. What follows should take a few ms at most: everything else waits for it. */
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
