/** Growing pauses between attempts: doubled from the first to the longest, reset after a success. */
export class Backoff {
  readonly #firstMs: number;
  readonly #longestMs: number;
  #attempts = 0;

  constructor(firstMs: number, longestMs: number) {
    this.#firstMs = firstMs;
    this.#longestMs = longestMs;
  }

  /** The pause after one more failure, ms. */
  next(): number {
    const pause = Math.min(this.#firstMs * 2 ** this.#attempts, this.#longestMs);
    this.#attempts += 1;
    return pause;
  }

  reset(): void {
    this.#attempts = 0;
  }
}
