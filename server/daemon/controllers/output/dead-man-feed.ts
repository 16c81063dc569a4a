import { messageOf } from '../../../contract/message-of.ts';
import { within, type Clock } from '../../clock.ts';
import { DriverError, feedPeriodMs, type DeadMan } from '../../drivers/driver.ts';
import { Grid } from '../../grid.ts';

/** A feed may wait for its turn on the line, and be answered, for so many periods: then the timer has run out. */
const longestPeriods = 2;

interface FeedOptions {
  clock: Clock;
  dead_man: DeadMan;
  /** Told after each feed: why it failed, or null. */
  fed: (failure: string | null) => void;
  /** Told when the timer ran out: the device has fallen to its safe state by itself. */
  lapsed: () => void;
  /** Told when it is fed again after that. */
  resumed: () => void;
}

/** Feeds the dead-man timer of a device for as long as it is not stopped. */
export class DeadManFeed {
  readonly #options: FeedOptions;
  readonly #periodMs: number;
  readonly #grid: Grid;
  /** When the last feed that succeeded was begun, elapsed ms. */
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

  /** The device falls to its safe state by itself when its time is over. */
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

  /** Why it was not fed; null when it was. */
  async #ask(): Promise<string | null> {
    const { clock, dead_man } = this.#options;
    const timeout = new AbortController();
    const late = (): never => {
      timeout.abort();
      throw new DriverError('timed_out', 'its dead-man timer was not acknowledged in time');
    };
    try {
      await within(dead_man.feed(timeout.signal), { clock, timeoutMs: longestPeriods * this.#periodMs, late });
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }
}
