import type { Clock, Timer } from './clock.ts';

export interface GridOptions {
  clock: Clock;
  periodMs: number;
  /** Delay of the first tick, ms; 0 when absent. */
  offsetMs?: number;
  /** One tick; it must end by itself and must not throw. */
  tick: () => Promise<void>;
  /** Told when a tick has ended. */
  ticked?: () => void;
}

const golden = 0.618_033_988_749_895;
/** So many loops tick together: what is set up together, as the sensors of one house, is read at one moment. */
const together = 16;

/**
 * Where the nth of many loops begins within its period, 0 to 1: the groups evenly spread however many there are (the multiples of the
 * golden ratio), so that hundreds do not hold up everything else at one moment.
 */
export function phaseOf(ordinal: number): number {
  return (Math.floor(ordinal / together) * golden) % 1;
}

/**
 * Where each next loop begins within its period, 0 to 1, evenly spread too. For loops that act one by one: what all of them do at one
 * moment would hold up everything else.
 */
export function ownPhases(): () => number {
  let begun = 0;
  return () => (begun++ * golden) % 1;
}

/** A phase delays the first tick of a loop by no more, ms. */
const longestSpreadMs = 1_000;

export function spreadMs(phase: number, periodMs: number): number {
  return phase * Math.min(periodMs, longestSpreadMs);
}

/** Ticks at start + offset + k periods, without drift: a tick that is missed is skipped, never queued, and none overlap. */
export class Grid {
  readonly #options: GridOptions;
  #origin = 0;
  #timer: Timer | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = true;

  constructor(options: GridOptions) {
    this.#options = options;
  }

  start(): void {
    if (!this.#isStopped) return;
    this.#isStopped = false;
    this.#origin = this.#options.clock.elapsed() + (this.#options.offsetMs ?? 0);
    this.#arm(0);
  }

  /** No tick begins after this; resolves when the one under way has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#running;
  }

  #arm(ordinal: number): void {
    const { clock, periodMs } = this.#options;
    const atMs = this.#origin + ordinal * periodMs;
    this.#timer = clock.after(atMs - clock.elapsed(), () => {
      this.#running = this.#tick(ordinal);
    });
  }

  async #tick(ordinal: number): Promise<void> {
    const { clock, periodMs, tick, ticked } = this.#options;
    await tick();
    ticked?.();
    if (this.#isStopped) return;
    const passed = Math.floor((clock.elapsed() - this.#origin) / periodMs);
    this.#arm(Math.max(ordinal, passed) + 1); // a timer may come a moment early: its tick is not done twice
  }
}
