/** Runs work on the same key one after the other; work on another key does not wait. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Starts when all earlier work on the same key has ended, successfully or not. */
  take<Result>(thing: string, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last.get(thing) ?? Promise.resolve();
    const done = before.then(work);
    const ended: Promise<void> = done.then(
      () => this.#forget(thing, ended),
      () => this.#forget(thing, ended),
    );
    this.#last.set(thing, ended);
    return done;
  }

  #forget(thing: string, ended: Promise<unknown>): void {
    if (this.#last.get(thing) === ended) this.#last.delete(thing);
  }
}
