import type { Clock, Timer } from './clock.ts';

export interface GridOptions {
  clock: Clock;
  periodMs: number;
  /** Delay of the first tick, ms; default 0. */
  offsetMs?: number;
  /** One tick; it must end by itself and must not throw. */
  tick: () => Promise<void>;
  /** Called when a tick has ended. */
  ticked?: () => void;
}

const golden = 0.618_033_988_749_895;
/** How many loops tick together: sensors that are set up together, as those of one house, are read at one moment. */
const together = 16;

/**
 * The offset of the nth loop within its period, 0 to 1. The groups are spread evenly, however many there are (the
 * multiples of the golden ratio), so that hundreds of loops do not delay everything else at one moment.
 */
export function phaseOf(ordinal: number): number {
  return (Math.floor(ordinal / together) * golden) % 1;
}

/**
 * Returns the offsets of successive loops within their period, 0 to 1, also spread evenly. For loops that act one by
 * one: all of them acting at one moment would delay everything else.
 */
export function ownPhases(): () => number {
  let begun = 0;
  return () => (begun++ * golden) % 1;
}

/** The longest that a phase delays the first tick of a loop, ms. */
const longestSpreadMs = 1_000;

export function spreadMs(phase: number, periodMs: number): number {
  return phase * Math.min(periodMs, longestSpreadMs);
}

/**
 * Ticks at start + offset + k periods, without drift: a missed tick is skipped, never queued, and ticks never overlap.
 */
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

  /** After this no tick starts; resolves when the one under way has ended. */
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
