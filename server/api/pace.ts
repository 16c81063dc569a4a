interface PaceOptions {
  /** Turns a second of one name. */
  perSecond: number;
  /** Turns available at once after a quiet time. */
  atOnce: number;
  /** The longest wait, ms. */
  longestMs: number;
  /** Monotonic clock in ms. */
  now_ms: () => number;
}

const sweepAbove = 10_000;

/** Returns how long each turn has to wait so that no name exceeds its rate. Quiet names are forgotten. */
export class Pace {
  readonly #options: PaceOptions;
  /** When the next turn of a name is due, ms. */
  readonly #due = new Map<string, number>();
  #sweptAt_ms = Number.NEGATIVE_INFINITY;

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /**
   * Takes a turn; returns the wait before it, ms. Once the wait is at its longest, turns come as fast as they are
   * requested.
   */
  take(name: string): number {
    const { perSecond, atOnce, longestMs, now_ms } = this.#options;
    const nowMs = now_ms();
    this.#sweep(nowMs);
    const everyMs = 1_000 / perSecond;
    const due = Math.max(this.#due.get(name) ?? 0, nowMs - (atOnce - 1) * everyMs);
    this.#due.set(name, Math.min(due + everyMs, nowMs + longestMs));
    return Math.max(0, due - nowMs);
  }

  /** Names remembered now. */
  get size(): number {
    return this.#due.size;
  }

  /** At most once a second, so that in a flood of names not each one pays for a sweep. */
  #sweep(nowMs: number): void {
    if (this.#due.size < sweepAbove || nowMs - this.#sweptAt_ms < 1_000) return;
    this.#sweptAt_ms = nowMs;
    const quietMs = (this.#options.atOnce * 1_000) / this.#options.perSecond;
    for (const [name, due] of this.#due) if (nowMs - due >= quietMs) this.#due.delete(name);
  }
}
