/** Lets what concerns one thing happen one after the other; what concerns another does not wait. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Begins when all that was asked for before about the same thing has ended, well or not. */
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
