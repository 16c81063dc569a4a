import { deviceSays } from '../../contract/device-words.ts';
import {
  afterRun,
  nextRun,
  unreckoned,
  type MotorRun,
  type Reckoned,
  type RunDirection,
  type RunTimeDrive,
} from '../../domain/control/run-time.ts';
import type { Clock, Timer } from '../clock.ts';
import { DriverError, type Actuating, type OutputValue, type ReckonedPosition } from './driver.ts';

/** How long a motor stands still before it reverses, ms. */
const turnMs = 500;
/**
 * How long a relay may take for a write that the motor makes by itself, ms; a relay that fails to switch off is written
 * again afterwards.
 */
const relayMs = 5_000;

interface MotorOptions {
  /** Channel numbers of the relays. */
  out: number;
  back: number;
  drive: RunTimeDrive;
  relay: Actuating['write'];
  clock: Clock;
}

interface Running {
  run: MotorRun;
  sinceMs: number;
}

/** A motor between two limit switches, positioned by how long its relays are on; never both at once. */
export class Motor {
  readonly #options: MotorOptions;
  #rests: Reckoned = unreckoned;
  #running: Running | undefined;
  #target_pct: number | null = null;
  #timer: Timer | undefined;
  /** Serialises the writes to the relays. */
  #turn: Promise<unknown> = Promise.resolve();
  /** Until both relays were written off, whether it stands still is unknown. */
  #isStill = false;
  #stoppedMs = -Infinity;
  /** Counts the writes to its relays. */
  #told = 0;
  #isTelling = false;

  constructor(options: MotorOptions) {
    this.#options = options;
  }

  /**
   * Starts a move to a position; resolves when the relays are switched. Throws DriverError: then it stops as soon as
   * its relays respond.
   */
  async aim(target_pct: number, signal: AbortSignal): Promise<void> {
    this.#target_pct = target_pct;
    try {
      await this.#inTurn(() => this.#move(signal));
    } catch (error) {
      // A refused target must not act later.
      if (error instanceof DriverError && !error.stateIsUnknown && this.#target_pct === target_pct) {
        this.#target_pct = null;
      }
      if (!this.#isStill) this.#tryAgain();
      throw error;
    }
  }

  /** Where it is now, and where it is going. */
  reckoned(): ReckonedPosition {
    const { pct, drift_pct } = this.#now();
    const isUnderWay = this.#running !== undefined || pct === null;
    return {
      stands: pct === null ? null : Math.round(pct),
      drift_pct: Math.ceil(drift_pct * 10) / 10,
      ...(isUnderWay && this.#target_pct !== null && { moves_to: this.#target_pct }),
    };
  }

  /** Counts the writes to its relays: a state that was read before a further write is out of date. */
  get told(): number {
    return this.#told;
  }

  /**
   * Compares the state that the device reports for its relays: a relay switched by anything else makes the position
   * unknown, and the motor starts for its target anew.
   */
  check(states: ReadonlyMap<number, OutputValue | null>): void {
    const { out, back } = this.#options;
    if (!this.#isStill || this.#isTelling) return;
    const isOtherwise = ([number, direction]: readonly [number, RunDirection]): boolean => {
      const said = states.get(number);
      const isOn = this.#running?.run.direction === direction;
      return said !== undefined && said !== null && (said === 'on' || said === 100) !== isOn;
    };
    if (![[out, 'out'] as const, [back, 'back'] as const].some(isOtherwise)) return;
    this.#lose();
    void this.#byItself();
  }

  /** A run to an end position goes on, for its limit switch ends it; any other stops. */
  async close(): Promise<void> {
    await this.#inTurn(() => this.#letGo()).catch(() => undefined);
    this.#timer?.cancel();
  }

  async #letGo(): Promise<void> {
    const to_pct = this.#running?.run.to_pct;
    const isToEnd = (to_pct === 0 || to_pct === 100) && to_pct === this.#target_pct;
    this.#target_pct = null;
    if (!isToEnd && this.#told > 0) await this.#move(limit());
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined); // told to whoever asked for it
    return done;
  }

  /** Switches the relays as the target now requires; without a target they are off. */
  async #move(signal: AbortSignal): Promise<void> {
    this.#timer?.cancel();
    if (!this.#isStill) await this.#stopBoth(signal);
    const target_pct = this.#target_pct;
    const next = target_pct === null ? null : nextRun(this.#now(), target_pct, this.#options.drive);
    if (this.#running !== undefined && next?.direction !== this.#running.run.direction) await this.#stop(signal);
    if (next === null) return;
    const { run, sinceMs } = await this.#run(next, signal);
    const leftMs = 1000 * run.run_s - (this.#options.clock.elapsed() - sinceMs);
    this.#timer = this.#options.clock.after(Math.max(1, Math.ceil(leftMs)), () => void this.#byItself());
  }

  /**
   * Continues a run in the same direction: to the same place with its original duration, else with that of the new run.
   */
  async #run(next: MotorRun, signal: AbortSignal): Promise<Running> {
    if (this.#running === undefined) await this.#start(next, signal);
    const sinceMs = this.#options.clock.elapsed();
    if (this.#running?.run.to_pct === next.to_pct) return this.#running;
    return (this.#running = { run: next, sinceMs });
  }

  /** Continues towards the target after the end of a run or a failure. */
  async #byItself(): Promise<void> {
    try {
      await this.#inTurn(() => this.#move(limit()));
    } catch {
      this.#lose();
      this.#tryAgain();
    }
  }

  #tryAgain(): void {
    this.#timer?.cancel();
    this.#timer = this.#options.clock.after(relayMs, () => void this.#byItself());
  }

  async #start(run: MotorRun, signal: AbortSignal): Promise<void> {
    const { clock, out, back } = this.#options;
    const isTurn = this.#rests.direction !== run.direction; // nobody knows which way it ran before it was lost
    const restMs = isTurn ? this.#stoppedMs + turnMs - clock.elapsed() : 0;
    if (restMs > 0) await new Promise<void>((resolve) => clock.after(restMs, resolve));
    signal.throwIfAborted();
    try {
      await this.#tell(run.direction === 'out' ? out : back, 'on', signal);
    } catch (error) {
      if (!(error instanceof DriverError) || error.stateIsUnknown) this.#lose();
      throw error;
    }
    this.#running = { run, sinceMs: clock.elapsed() };
  }

  async #stop(signal: AbortSignal): Promise<void> {
    const { clock, out, back } = this.#options;
    const direction = this.#running?.run.direction;
    try {
      await this.#tell(direction === 'out' ? out : back, 'off', signal);
    } catch (error) {
      this.#lose();
      throw error;
    }
    this.#rests = this.#now();
    this.#running = undefined;
    this.#stoppedMs = clock.elapsed();
  }

  async #stopBoth(signal: AbortSignal): Promise<void> {
    const { out, back, clock } = this.#options;
    // The second relay is switched off even if the first fails.
    const first = await this.#tell(out, 'off', signal).catch((error: unknown) => ({ error }));
    await this.#tell(back, 'off', signal.aborted ? limit() : signal);
    if (first !== undefined) throw first.error;
    this.#isStill = true;
    this.#stoppedMs = clock.elapsed();
  }

  async #tell(channel: number, value: 'on' | 'off', signal: AbortSignal): Promise<void> {
    this.#told += 1;
    this.#isTelling = true;
    try {
      await unlessAborted(this.#options.relay(channel, value, signal), signal);
    } finally {
      this.#isTelling = false;
      this.#told += 1;
    }
  }

  /** Its position is unknown, and whether it moves. */
  #lose(): void {
    this.#rests = unreckoned;
    this.#running = undefined;
    this.#isStill = false;
  }

  #now(): Reckoned {
    if (this.#running === undefined) return this.#rests;
    const { run, sinceMs } = this.#running;
    return afterRun(run, (this.#options.clock.elapsed() - sinceMs) / 1000, this.#options.drive);
  }
}

/** A relay that never answers must not delay the next command. Throws DriverError when its time is over. */
async function unlessAborted(told: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const over = Promise.withResolvers<never>();
  const giveUp = (): void => over.reject(new DriverError('timed_out', deviceSays('relay_silent')));
  if (signal.aborted) giveUp();
  signal.addEventListener('abort', giveUp);
  try {
    await Promise.race([told, over.promise]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

function limit(): AbortSignal {
  return AbortSignal.timeout(relayMs);
}
