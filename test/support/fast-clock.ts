import FlatQueue from 'flatqueue';
import type { Clock, Timer } from '../../server/daemon/clock.ts';

interface Waiting {
  run: (() => void) | undefined;
}

/**
 * A daemon's clock for days that pass in seconds. Like `ManualClock`, but each timer gets one turn of the event loop:
 * enough for devices and stores that answer from memory.
 */
export class FastClock implements Clock {
  #elapsed = 1_000;
  readonly #wallOffset: number;
  /** The moments at which timers are due, elapsed ms, with the timers in order. */
  readonly #moments = new FlatQueue<number>();
  readonly #waiting = new Map<number, Waiting[]>();

  constructor(now: number) {
    this.#wallOffset = now - this.#elapsed;
  }

  now(): number {
    return this.#wallOffset + this.#elapsed;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  after(delayMs: number, run: () => void): Timer {
    const at = this.#elapsed + Math.max(0, delayMs);
    const waiting: Waiting = { run };
    const others = this.#waiting.get(at);
    if (others === undefined) {
      this.#waiting.set(at, [waiting]);
      this.#moments.push(at, at);
    } else others.push(waiting);
    return { cancel: () => void (waiting.run = undefined) };
  }

  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    await turn();
    for (let at = this.#moments.peek(); at !== undefined && at <= end; at = this.#moments.peek()) {
      this.#moments.pop();
      const due = this.#waiting.get(at) ?? [];
      this.#waiting.delete(at);
      this.#elapsed = Math.max(this.#elapsed, at);
      for (const { run } of due) {
        if (run === undefined) continue;
        run();
        await turn();
      }
    }
    this.#elapsed = end;
  }
}

/** Resolves when everything that waits only for promises has run. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
