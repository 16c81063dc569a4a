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
    this.#arm(this.#origin);
  }

  /** No tick begins after this; resolves when the one under way has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#running;
  }

  #arm(at: number): void {
    const { clock } = this.#options;
    this.#timer = clock.after(at - clock.elapsed(), () => {
      this.#running = this.#tick();
    });
  }

  async #tick(): Promise<void> {
    const { clock, periodMs, tick, ticked } = this.#options;
    await tick();
    ticked?.();
    if (this.#isStopped) return;
    const passed = Math.floor((clock.elapsed() - this.#origin) / periodMs);
    this.#arm(this.#origin + (passed + 1) * periodMs);
  }
}
