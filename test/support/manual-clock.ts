import type { Clock } from '../../server/daemon/clock.ts';

interface Waiting {
  at: number;
  run: () => void;
}

/** A daemon's clock that stands still until the test moves it. */
export class ManualClock implements Clock {
  #elapsed = 1_000;
  #wallOffset: number;
  #waiting: Waiting[] = [];

  constructor(now = Date.UTC(2026, 0, 15, 12)) {
    this.#wallOffset = now - this.#elapsed;
  }

  now(): number {
    return this.#wallOffset + this.#elapsed;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  after(delayMs: number, run: () => void): { cancel: () => void } {
    const waiting = { at: this.#elapsed + Math.max(0, delayMs), run };
    this.#waiting.push(waiting);
    return { cancel: () => void (this.#waiting = this.#waiting.filter((other) => other !== waiting)) };
  }

  /** Sets the time of day without letting time pass. */
  setTimeOfDay(now: number): void {
    this.#wallOffset = now - this.#elapsed;
  }

  /** Advances time: timers run in order, and each finishes its work before the next. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    await settled();
    for (let next = this.#next(end); next !== undefined; next = this.#next(end)) {
      this.#elapsed = Math.max(this.#elapsed, next.at);
      this.#waiting = this.#waiting.filter((other) => other !== next);
      next.run();
      await settled();
    }
    this.#elapsed = end;
  }

  #next(end: number): Waiting | undefined {
    return this.#waiting.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
  }
}

/** Resolves when everything that waits only for promises has run. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
