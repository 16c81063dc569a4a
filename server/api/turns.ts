interface TurnLimits {
  /** Maximum requests of one caller at once. */
  running: number;
  /** Maximum waiting requests of one caller. */
  waiting: number;
  /** Maximum bytes of answers that one caller has not taken yet; beyond it the next request waits. */
  bytes: number;
  /** The same for all callers together; beyond it every caller with untaken answers waits. */
  allBytes: number;
}

/** A request's turn. */
export interface Turn {
  /** Counts bytes on their way to the caller until the end. */
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
 * Limits how many requests of each caller are answered at once; more of the same caller's wait, and no one else's. An
 * answer counts until it is taken, so that no more are made for a caller that does not take them.
 */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #callers = new Map<string, Caller>();
  #bytes = 0;

  constructor(limits: Partial<TurnLimits> = {}) {
    this.#limits = { ...defaults, ...limits };
  }

  /** Resolves in the request's turn; null when too many already wait. */
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

  /** The longest waiting request takes over; its place counts from now on. */
  #next(name: string, caller: Caller): void {
    while (caller.waiting.length > 0 && this.#isFree(caller)) {
      caller.running += 1;
      caller.waiting.shift()?.();
    }
    if (caller.running === 0 && caller.waiting.length === 0) this.#callers.delete(name);
  }
}
