import { ApiError } from '../client/api-error.ts';

/** Calls back after the time in ms; returns what calls it off. */
export type Later = (run: () => void, ms: number) => () => void;

/** By the clock of the page. */
export const later: Later = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

const silentMs = { first: 30_000, most: 480_000 };
/** A quarter of a megabit a second, as of a phone at the edge of its cell. */
const slowLine_bytesPerMs = 32;

/**
 * Ends calls that are never answered, as over a connection that broke unnoticed. Waits for as long as a slow line needs
 * for what is sent, and twice as long after each silence, for a line may be slower still.
 */
export class Patience {
  readonly #later: Later;
  #silences = 0;

  constructor(later: Later) {
    this.#later = later;
  }

  /**
   * Rejects as `network` after a silence; the call, which sends so many bytes, is aborted then, and what it still
   * answers no longer counts.
   */
  async during<T>(call: (signal: AbortSignal) => Promise<T>, bytes = 0): Promise<T> {
    const leastMs = Math.max(silentMs.first, bytes / slowLine_bytesPerMs);
    const { promise: silence, reject } = Promise.withResolvers<never>();
    const request = new AbortController();
    const callOff = this.#later(
      () => {
        this.#silences += 1;
        reject(new ApiError('network', 'no answer in time', {}));
        request.abort();
      },
      Math.min(leastMs * 2 ** this.#silences, silentMs.most),
    );
    try {
      const answer = await Promise.race([call(request.signal), silence]);
      this.#silences = 0;
      return answer;
    } finally {
      callOff();
    }
  }
}
