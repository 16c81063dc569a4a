/** Takes an answer about a thing, unless there was news of it since the question. */
export type Takes = (key: string) => boolean;

/**
 * What was told of things, in what order. Events arrive at once; an answer may describe the time before them, and must
 * not replace what came after its question.
 */
export class Told {
  #count = 0;
  readonly #last = new Map<string, number>();

  /** There is news of this thing: no answer to an earlier question replaces it. */
  hear(key: string): void {
    this.#last.set(key, (this.#count += 1));
  }

  /** A question is asked now. */
  ask(): Takes {
    const asked = (this.#count += 1);
    return (key) => {
      if ((this.#last.get(key) ?? 0) > asked) return false;
      this.#last.set(key, asked);
      return true;
    };
  }
}
