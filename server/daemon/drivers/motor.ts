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

/** A motor stands still for so long before it turns round, ms. */
const turnMs = 500;
/** What a relay is told by the motor itself may take so long, ms; a relay that does not go off is told again after it. */
const relayMs = 5_000;

interface MotorOptions {
  /** Numbers of the relays. */
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

/** A motor between two limit switches that is positioned by how long its relays are on; never both at once. */
export class Motor {
  readonly #options: MotorOptions;
  #rests: Reckoned = unreckoned;
  #running: Running | undefined;
  #target_pct: number | null = null;
  #timer: Timer | undefined;
  /** What the relays are told is told one after the other. */
  #turn: Promise<unknown> = Promise.resolve();
  /** Until both relays were told to be off nobody knows whether it stands still. */
  #isStill = false;
  #stoppedMs = -Infinity;
  /** Counts what its relays were told. */
  #told = 0;
  #isTelling = false;

  constructor(options: MotorOptions) {
    this.#options = options;
  }

  /** Sets off to a position; resolves when the relays have been told. Throws DriverError: then it stops as soon as its relays let it. */
  async aim(target_pct: number, signal: AbortSignal): Promise<void> {
    this.#target_pct = target_pct;
    try {
      await this.#inTurn(() => this.#move(signal));
    } catch (error) {
      // What was refused must not act later.
      if (error instanceof DriverError && !error.stateIsUnknown && this.#target_pct === target_pct) {
        this.#target_pct = null;
      }
      if (!this.#isStill) this.#tryAgain();
      throw error;
    }
  }

  /** Where it is now, and where to. */
  reckoned(): ReckonedPosition {
    const { pct, drift_pct } = this.#now();
    const isUnderWay = this.#running !== undefined || pct === null;
    return {
      stands: pct === null ? null : Math.round(pct),
      drift_pct: Math.ceil(drift_pct * 10) / 10,
      ...(isUnderWay && this.#target_pct !== null && { moves_to: this.#target_pct }),
    };
  }

  /** Told more since, what the device said of its relays is old. */
  get told(): number {
    return this.#told;
  }

  /** What the device says of its relays: one that another hand has moved makes the position unknown, and it goes there anew. */
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

  /** A run to an end goes on, for its limit switch ends it; any other stops. */
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

  /** Brings the relays to what the target asks for now; without one they are off. */
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

  /** What runs that way already runs on: to the same place as long as it was to, else as long as the new one takes. */
  async #run(next: MotorRun, signal: AbortSignal): Promise<Running> {
    if (this.#running === undefined) await this.#start(next, signal);
    const sinceMs = this.#options.clock.elapsed();
    if (this.#running?.run.to_pct === next.to_pct) return this.#running;
    return (this.#running = { run: next, sinceMs });
  }

  /** A run is over, or something went wrong: goes on towards the target. */
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
    // The second is told also where the first does not let itself be told.
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

  /** Nobody knows where it stands, nor whether it does. */
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

/** A relay that never answers must not hold up the next command. Throws DriverError when the time is over. */
async function unlessAborted(told: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const over = Promise.withResolvers<never>();
  const giveUp = (): void => over.reject(new DriverError('timed_out', 'the relay did not answer in time'));
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
