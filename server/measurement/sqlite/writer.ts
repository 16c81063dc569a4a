import { deviceSays } from '../../contract/device-words.ts';
import {
  MeasurementWriteError,
  type ChannelRetention,
  type ConditionListener,
  type MeasurementWriter,
  type Sample,
  type StateMark,
} from '../store.ts';
import type { BatchContent, WriteFailure, WriterAnswer } from './batch.ts';
import { setAside } from '../../db/damaged-file.ts';
import { isDiskTrouble } from '../../db/disk-trouble.ts';
import { checkIntegrity, type IntegrityCheck } from './integrity.ts';
import { countOf, WriteQueue, type Waiting } from './write-queue.ts';
import { WriterThread } from './writer-thread.ts';

/** The longest that a sample waits for others, and the most that go into one transaction. */
const maxWaitMs = 50;
const maxBatch = 10_000;
/**
 * Maximum samples kept while the disk does not answer: ten minutes of 500 channels at 1 s. Beyond it new ones are
 * refused or, if the disk refuses, the oldest are dropped.
 */
const maxWaiting = 300_000;
/** What the disk refused is retried with growing pauses. */
const firstRetryMs = 1_000;
const longestRetryMs = 10_000;
/** After this long without an answer the disk counts as hung. */
const overdueMs = 10_000;
const overdue: WriteFailure = { code: 'timed_out', message: 'the disk does not answer', is_damaged: false };
/** A disk that damages one file after the other gets no more of them. */
const replacePauseMs = 10 * 60_000;

/** What the writer is doing; `timer` belongs to it alone. */
type Phase = { timer: NodeJS.Timeout | undefined } & (
  | { kind: 'ready' } // calls wait for others until `timer`
  | { kind: 'writing'; writes: Waiting[] } // calls wait for its end; at `timer` the disk counts as hung
  | { kind: 'refused'; failure: WriteFailure } // calls fail and are kept; tries again at `timer`, or now without one
  | { kind: 'replacing' } // calls wait for a new file
);

/** Failures since a write last succeeded, which have been told. */
interface Outage {
  /** Pause before the next attempt. */
  retryMs: number;
  /** Samples and states that were dropped. */
  lost: number;
}

/**
 * Writes samples and states to a measurements.db from a worker thread. Calls within 50 ms share a transaction, and one
 * transaction is under way at a time, so that a slow disk makes batches larger instead of a queue longer. What the disk
 * refuses stays in memory and is written when it is accepted again, though the callers get the error at once. A file
 * that proves damaged is replaced while the calls wait; the new one takes over what can be read from it.
 */
class SqliteMeasurementWriter implements MeasurementWriter {
  readonly #file: string;
  readonly #tell: ConditionListener;
  readonly #queue = new WriteQueue();
  #phase: Phase = { kind: 'ready', timer: undefined };
  #outage: Outage | null = null;
  /** The damage found in the file, until it is replaced. */
  #damage: string | null = null;
  #replacedAt = -Infinity;
  #thread: WriterThread | null = null;
  #check: IntegrityCheck | null = null;
  #closing: Promise<void> | null = null;
  #idle: (() => void) | null = null;

  constructor(file: string, tell: ConditionListener) {
    this.#file = file;
    this.#tell = tell;
  }

  write(samples: readonly Sample[]): Promise<void> {
    return this.#keep({ samples, states: [] });
  }

  mark(states: readonly StateMark[]): Promise<void> {
    return this.#keep({ samples: [], states });
  }

  retain(exceptions: readonly ChannelRetention[], nowMs: number): void {
    const { kind } = this.#phase;
    if (!this.#closing && (kind === 'ready' || kind === 'writing'))
      this.#startedThread().ask({ kind: 'retain', exceptions, now_ms: nowMs });
  }

  async check(): Promise<void> {
    if (this.#closing || this.#check) return;
    this.#check = checkIntegrity(this.#file);
    try {
      const [fault] = await this.#check.faults;
      if (fault !== undefined) this.#damage = fault;
    } finally {
      this.#check = null;
    }
    if (this.#damage !== null && this.#phase.kind === 'ready') this.#goOn();
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #finish(): Promise<void> {
    this.#check?.stop();
    if (this.#phase.kind === 'refused' && this.#phase.timer !== undefined) await this.#tryAgain(); // once more
    this.#flush();
    if (this.#phase.kind !== 'ready') await new Promise<void>((resolve) => (this.#idle = resolve));
    await this.#thread?.stop();
  }

  #enter(phase: Phase): void {
    clearTimeout(this.#phase.timer);
    this.#phase = phase;
  }

  #keep(content: BatchContent): Promise<void> {
    const count = countOf(content);
    if (count === 0) return Promise.resolve();
    if (this.#closing) return Promise.reject(new MeasurementWriteError('closed', 'the measurement writer is closed'));
    if (this.#phase.kind === 'refused') return this.#keepForLater(content, this.#phase.failure);
    if (this.#queue.count + count > maxWaiting) {
      return Promise.reject(new MeasurementWriteError('overloaded', `${this.#queue.count} samples wait for the disk`));
    }
    return new Promise((resolve, reject) => {
      this.#queue.add({ ...content, resolve, reject });
      if (this.#phase.kind !== 'ready') return;
      if (this.#queue.count >= maxBatch) this.#flush();
      else this.#phase.timer ??= setTimeout(() => this.#flush(), maxWaitMs);
    });
  }

  /** It is written when the disk accepts it again; the caller gets the error that it is not stored yet. */
  #keepForLater(content: BatchContent, failure: WriteFailure): Promise<void> {
    const nobody = (): void => undefined;
    this.#queue.add({ ...content, resolve: nobody, reject: nobody });
    const outage = this.#tellFailure(failure);
    outage.lost += this.#queue.dropBeyond(maxWaiting);
    return Promise.reject(notYet(failure));
  }

  #refused(failure: WriteFailure, writes: readonly Waiting[]): void {
    for (const { reject } of writes) reject(notYet(failure));
    this.#queue.putBack(writes);
    const outage = this.#tellFailure(failure);
    const timer = this.#closing ? undefined : setTimeout(() => void this.#tryAgain(), outage.retryMs);
    outage.retryMs = Math.min(2 * outage.retryMs, longestRetryMs);
    this.#enter({ kind: 'refused', failure, timer });
    if (this.#closing) this.#idle?.();
  }

  /** A restarted thread reopens the file, and gets all series announced again. */
  async #tryAgain(): Promise<void> {
    clearTimeout(this.#phase.timer);
    this.#phase.timer = undefined;
    await this.#thread?.stop();
    this.#thread = null;
    this.#enter({ kind: 'ready', timer: undefined });
    this.#goOn();
  }

  #flush(): void {
    if (this.#phase.kind !== 'ready' || this.#queue.count === 0) return;
    const writes = this.#queue.take(maxBatch);
    this.#enter({ kind: 'writing', writes, timer: setTimeout(() => this.#tellFailure(overdue), overdueMs) });
    const [samples, states] = [writes.flatMap((one) => one.samples), writes.flatMap((one) => one.states)];
    this.#startedThread().send({ samples, states });
  }

  #startedThread(): WriterThread {
    this.#thread ??= new WriterThread(this.#file, {
      answered: (answer) => this.#hear(answer),
      died: (message) => {
        this.#thread = null;
        this.#settle({ code: 'writer_stopped', message, is_damaged: false });
      },
    });
    return this.#thread;
  }

  #hear(answer: WriterAnswer): void {
    if (answer.kind === 'batch') this.#settle(answer.error);
    else if (answer.kind === 'salvaging') {
      this.#tellDamage(true, `measurements.db was damaged; what can be read of ${answer.aside} is being saved`);
    } else if (answer.kind === 'salvaged') {
      this.#tellDamage(false, answer.message);
    } else if (answer.error.is_damaged) {
      this.#damage = answer.error.message;
      if (this.#phase.kind === 'ready') this.#goOn();
    } else this.#tellFailure(answer.error);
  }

  /** Ends a transaction; a thread that died without one has lost nothing. */
  #settle(error: WriteFailure | null): void {
    const writes = this.#phase.kind === 'writing' ? this.#phase.writes : [];
    if (this.#phase.kind === 'writing') this.#enter({ kind: 'ready', timer: undefined });
    if (error?.is_damaged === true && this.#mayReplace()) {
      this.#damage = error.message;
      this.#queue.putBack(writes);
      return this.#goOn();
    }
    if (error && isDiskTrouble(error.code)) return this.#refused(error, writes);
    for (const { resolve, reject } of writes) {
      if (error) reject(new MeasurementWriteError(error.code, error.message));
      else resolve();
    }
    if (error) this.#tellFailure(error);
    else if (this.#outage) this.#tellKept(this.#outage);
    if (this.#phase.kind === 'ready') this.#goOn();
  }

  #goOn(): void {
    if (this.#damage !== null && this.#mayReplace()) void this.#replace(this.#damage);
    else if (this.#queue.count > 0) this.#flush();
    else this.#idle?.();
  }

  #mayReplace(): boolean {
    return performance.now() - this.#replacedAt > replacePauseMs;
  }

  /** Replaces a damaged file by a new one; the thread that opens it takes over what it finds beside it. */
  async #replace(damage: string): Promise<void> {
    this.#enter({ kind: 'replacing', timer: undefined });
    this.#replacedAt = performance.now();
    this.#damage = null;
    try {
      await this.#thread?.stop();
      this.#thread = null;
      const aside = setAside(this.#file, new Date());
      this.#tellDamage(true, `measurements.db is damaged (${damage}) and was moved to ${aside}`);
      if (!this.#closing) this.#startedThread().ask({ kind: 'open' });
    } catch (error) {
      this.#tellDamage(true, `measurements.db is damaged (${damage}) and could not be moved aside: ${String(error)}`);
    }
    this.#enter({ kind: 'ready', timer: undefined });
    this.#goOn();
  }

  /** Tells the first failure of an outage. */
  #tellFailure({ message }: WriteFailure): Outage {
    if (this.#outage) return this.#outage;
    this.#outage = { retryMs: firstRetryMs, lost: 0 };
    this.#tell({
      code: 'measurements_not_kept',
      is_active: true,
      message: deviceSays('measurements_not_kept', { said: message }),
    });
    return this.#outage;
  }

  #tellDamage(is_active: boolean, message: string): void {
    this.#tell({ code: 'measurements_damaged', is_active, message });
  }

  #tellKept({ lost }: Outage): void {
    const more = lost > 0 ? `; ${lost} samples and states of the meantime are lost` : '';
    this.#outage = null;
    this.#tell({ code: 'measurements_not_kept', is_active: false, message: `measurements are kept again${more}` });
  }
}

function notYet({ code, message }: WriteFailure): MeasurementWriteError {
  const text = `not stored yet: ${message}; it waits in memory until the disk takes it`;
  return new MeasurementWriteError(code, text, { isWaiting: true });
}

/**
 * Opens the writer of a measurements.db, which must be the only one. The file is opened with the first sample. `tell`
 * is called with faults of the file beyond those that the calls return.
 */
export function openMeasurementWriter(file: string, tell: ConditionListener = () => undefined): MeasurementWriter {
  return new SqliteMeasurementWriter(file, tell);
}
