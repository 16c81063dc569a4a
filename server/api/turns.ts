interface TurnLimits {
  /** Of one caller at once. */
  running: number;
  /** Of one caller that wait for that. */
  waiting: number;
  /** Bytes of answers that one caller has not taken yet; the next request waits while there are more. */
  bytes: number;
  /** Of all callers together; while there are more, each who has any waits. */
  allBytes: number;
}

/** A request's turn. */
export interface Turn {
  /** So much is on its way to the caller until the end. */
  hold(bytes: number): void;
  /** May be called twice. */
  end(): void;
}

interface Caller {
  running: number;
  bytes: number;
  waiting: (() => void)[];
}

const defaults: TurnLimits = { running: 16, waiting: 256, bytes: 32 * 1024 * 1024, allBytes: 256 * 1024 * 1024 };

/**
 * Lets each caller have so many requests answered at once; more of his wait their turn, and nobody else's. An answer counts until it
 * was taken, so that who does not take his answers has no more of them made.
 */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #callers = new Map<string, Caller>();
  #bytes = 0;

  constructor(limits: Partial<TurnLimits> = {}) {
    this.#limits = { ...defaults, ...limits };
  }

  /** Resolves when it is the request's turn; null where too many wait already. */
  async take(name: string): Promise<Turn | null> {
    const caller = this.#callers.get(name) ?? { running: 0, bytes: 0, waiting: [] };
    this.#callers.set(name, caller);
    if (!this.#isFree(caller)) {
      if (caller.waiting.length >= this.#limits.waiting) return null;
      await new Promise<void>((resolve) => caller.waiting.push(resolve));
    } else caller.running += 1;
    return this.#begin(name, caller);
  }

  #isFree({ running, bytes }: Caller): boolean {
    const { running: most, bytes: mostBytes, allBytes } = this.#limits;
    return running < most && bytes < mostBytes && (bytes === 0 || this.#bytes < allBytes);
  }

  #begin(name: string, caller: Caller): Turn {
    let held = 0;
    let isOver = false;
    return {
      hold: (bytes) => {
        if (isOver) return;
        held += bytes;
        caller.bytes += bytes;
        this.#bytes += bytes;
      },
      end: () => {
        if (isOver) return;
        isOver = true;
        caller.bytes -= held;
        this.#bytes -= held;
        caller.running -= 1;
        this.#next(name, caller);
      },
    };
  }

  /** The one that waits longest takes over; its place counts from now on. */
  #next(name: string, caller: Caller): void {
    while (caller.waiting.length > 0 && this.#isFree(caller)) {
      caller.running += 1;
      caller.waiting.shift()?.();
    }
    if (caller.running === 0 && caller.waiting.length === 0) this.#callers.delete(name);
  }
}
