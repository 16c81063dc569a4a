import { RemoteError } from './exception.ts';

/** Combines a time limit and the given signals; `clear` detaches it from them. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #sources = new Map<AbortSignal, () => void>();

  constructor(timeoutMs: number, sources: readonly (AbortSignal | undefined)[]) {
    const late = new RemoteError('timeout', `no answer within ${timeoutMs} ms`);
    this.#timer = setTimeout(() => this.#controller.abort(late), timeoutMs);
    for (const source of sources) if (source !== undefined) this.#follow(source);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Waits for `promise`, but no longer than the signal allows; rejects with its reason. */
  async race(promise: Promise<unknown>): Promise<void> {
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const stop = () => reject(this.#controller.signal.reason);
    this.signal.throwIfAborted();
    this.signal.addEventListener('abort', stop, { once: true });
    try {
      await Promise.race([promise, aborted]);
    } finally {
      this.signal.removeEventListener('abort', stop);
    }
  }

  clear(): void {
    clearTimeout(this.#timer);
    for (const [source, copy] of this.#sources) source.removeEventListener('abort', copy);
  }

  /** A RemoteError is passed on as the reason; any other becomes the cause of `aborted`. */
  #follow(source: AbortSignal): void {
    const copy = () => {
      const cause: unknown = source.reason;
      const aborted = new RemoteError('aborted', 'the call was abandoned', { cause });
      this.#controller.abort(cause instanceof RemoteError ? cause : aborted);
    };
    if (source.aborted) copy();
    else source.addEventListener('abort', copy, { once: true });
    this.#sources.set(source, copy);
  }
}
