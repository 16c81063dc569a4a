import { ApiError } from '../client/api-error.ts';

/** Calls back after the time in ms; returns what calls it off. */
export type Later = (run: () => void, ms: number) => () => void;

/** By the clock of the page. */
export const later: Later = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

const silentMs = { first: 30_000, most: 480_000 };

/**
 * Ends calls that are never answered, as over a connection that broke unnoticed. Waits longer after each silence, for much
 * takes its time over a slow line.
 */
export class Patience {
  readonly #later: Later;
  #ms = silentMs.first;

  constructor(later: Later) {
    this.#later = later;
  }

  /** Rejects as `network` after a silence; the call is aborted then, and what it still answers no longer counts. */
  async during<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { promise: silence, reject } = Promise.withResolvers<never>();
    const request = new AbortController();
    const callOff = this.#later(() => {
      this.#ms = Math.min(this.#ms * 2, silentMs.most);
      reject(new ApiError('network', 'no answer in time', {}));
      request.abort();
    }, this.#ms);
    try {
      const answer = await Promise.race([call(request.signal), silence]);
      this.#ms = silentMs.first;
      return answer;
    } finally {
      callOff();
    }
  }
}
