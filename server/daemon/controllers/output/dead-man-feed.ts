import { deviceSays } from '../../../contract/device-words.ts';
import { messageOf } from '../../../contract/message-of.ts';
import { within, type Clock } from '../../clock.ts';
import { DriverError, feedPeriodMs, type DeadMan } from '../../drivers/driver.ts';
import { Grid } from '../../grid.ts';

/** Periods that a feed may wait for its turn on the line and its answer, before the timer counts as run out. */
const longestPeriods = 2;

interface FeedOptions {
  clock: Clock;
  dead_man: DeadMan;
  /** Called after each feed with the reason why it failed, or null. */
  fed: (failure: string | null) => void;
  /** Called when the timer ran out: the device has fallen to its safe state by itself. */
  lapsed: () => void;
  /** Called at the first feed that succeeds after that. */
  resumed: () => void;
}

/** Feeds the dead-man timer of a device until it is stopped. */
export class DeadManFeed {
  readonly #options: FeedOptions;
  readonly #periodMs: number;
  readonly #grid: Grid;
  /** When the last successful feed was begun, elapsed ms. */
  #fedAt = Infinity;
  #hasLapsed = false;
  #isStopped = false;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#periodMs = feedPeriodMs(options.dead_man);
    this.#grid = new Grid({ clock: options.clock, periodMs: this.#periodMs, tick: () => this.#feed() });
  }

  start(): void {
    this.#fedAt = this.#options.clock.elapsed();
    this.#grid.start();
  }

  /** Stops feeding; the device then falls to its safe state by itself. */
  stop(): void {
    this.#isStopped = true;
    void this.#grid.stop(); // a feed under way may wait as long as the line does
  }

  async #feed(): Promise<void> {
    const { clock, dead_man, fed, lapsed, resumed } = this.#options;
    const begun = clock.elapsed();
    const failure = await this.#ask();
    if (this.#isStopped) return; // a feed that the end of the connection cut off is no failure
    const isOver = clock.elapsed() - this.#fedAt >= dead_man.dead_man_s * 1000;
    if (isOver && !this.#hasLapsed) {
      this.#hasLapsed = true;
      lapsed();
    }
    fed(failure);
    if (failure !== null) return;
    this.#fedAt = begun;
    if (!this.#hasLapsed) return;
    this.#hasLapsed = false;
    resumed();
  }

  /** Feeds once. Returns why it failed; null when it succeeded. */
  async #ask(): Promise<string | null> {
    const { clock, dead_man } = this.#options;
    const timeout = new AbortController();
    const late = (): never => {
      timeout.abort();
      throw new DriverError('timed_out', deviceSays('dead_man_silent'));
    };
    try {
      await within(dead_man.feed(timeout.signal), { clock, timeoutMs: longestPeriods * this.#periodMs, late });
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }
}
