interface PaceOptions {
  /** Turns a second of one name. */
  perSecond: number;
  /** So many come at once after a quiet while. */
  atOnce: number;
  /** Nobody waits longer, ms. */
  longestMs: number;
  /** Monotonic clock in ms. */
  now_ms: () => number;
}

const sweepAbove = 10_000;

/** Says how long each has to wait so that no name has more turns a second than it may. Names that were quiet are forgotten. */
export class Pace {
  readonly #options: PaceOptions;
  /** When the next turn of a name is due, ms. */
  readonly #due = new Map<string, number>();
  #sweptAt_ms = Number.NEGATIVE_INFINITY;

  constructor(options: PaceOptions) {
    this.#options = options;
  }

  /** Takes a turn; returns in how many ms it is. Once the wait is the longest, turns come as fast as they are asked for. */
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

  /** At most once a second, so that a flood of names does not make each of them pay for a sweep. */
  #sweep(nowMs: number): void {
    if (this.#due.size < sweepAbove || nowMs - this.#sweptAt_ms < 1_000) return;
    this.#sweptAt_ms = nowMs;
    const quietMs = (this.#options.atOnce * 1_000) / this.#options.perSecond;
    for (const [name, due] of this.#due) if (nowMs - due >= quietMs) this.#due.delete(name);
  }
}
