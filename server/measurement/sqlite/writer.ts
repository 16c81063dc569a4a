import { deviceSays } from '../../contract/device-words.ts';
import {
  MeasurementWriteError,
  type ChannelRetention,
  type ConditionListener,
  type MeasurementWriter,
  type Sample,
  type StateMark,
} from '../store.ts';
import { SeriesIndex, toBatch, type BatchContent, type WriteFailure, type WriterAnswer } from './batch.ts';
import { setAside } from '../../db/damaged-file.ts';
import { isDiskTrouble } from '../../db/disk-trouble.ts';
import { checkIntegrity, type IntegrityCheck } from './integrity.ts';
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

interface Waiting extends BatchContent {
  resolve: () => void;
  /** Called once; a write kept for later counts as refused for its caller. */
  reject: (error: Error) => void;
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
  #thread: WriterThread | null = null;
  #series = new SeriesIndex();
  #waiting: Waiting[] = [];
  #waitingCount = 0;
  #underWay: { id: number; writes: Waiting[] } | null = null;
  #timer: NodeJS.Timeout | null = null;
  #overdue: NodeJS.Timeout | null = null;
  #batches = 0;
  #closing: Promise<void> | null = null;
  #idle: (() => void) | null = null;
  #isFailing = false;
  /** Why the disk refuses writes at present. */
  #refusal: WriteFailure | null = null;
  #retry: NodeJS.Timeout | null = null;
  #retryMs = firstRetryMs;
  /** Samples and states dropped since the disk refuses. */
  #givenUp = 0;
  #check: IntegrityCheck | null = null;
  /** The damage found in the file, until it is replaced. */
  #damage: string | null = null;
  #replacedAt = -Infinity;
  #isReplacing = false;

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
    if (!this.#closing && !this.#isReplacing && !this.#refusal)
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
    if (this.#damage !== null && !this.#underWay) this.#goOn();
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #finish(): Promise<void> {
    this.#check?.stop();
    if (this.#retry) await this.#tryAgain(); // once more
    this.#flush();
    if (this.#isBusy()) await new Promise<void>((resolve) => (this.#idle = resolve));
    await this.#thread?.stop();
  }

  #keep({ samples, states }: BatchContent): Promise<void> {
    const count = samples.length + states.length;
    if (count === 0) return Promise.resolve();
    if (this.#closing) return Promise.reject(new MeasurementWriteError('closed', 'the measurement writer is closed'));
    if (this.#refusal) return this.#keepForLater({ samples, states }, this.#refusal);
    if (this.#waitingCount + count > maxWaiting) {
      return Promise.reject(new MeasurementWriteError('overloaded', `${this.#waitingCount} samples wait for the disk`));
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ samples, states, resolve, reject });
      this.#waitingCount += count;
      if (this.#isBusy()) return;
      if (this.#waitingCount >= maxBatch) this.#flush();
      else this.#timer ??= setTimeout(() => this.#flush(), maxWaitMs);
    });
  }

  /** It is written when the disk accepts it again; the caller gets the error that it is not stored yet. */
  #keepForLater(content: BatchContent, failure: WriteFailure): Promise<void> {
    const nobody = (): void => undefined;
    this.#waiting.push({ ...content, resolve: nobody, reject: nobody });
    this.#waitingCount += countOf(content);
    while (this.#waitingCount > maxWaiting) this.#giveUpOldest();
    return Promise.reject(notYet(failure));
  }

  #giveUpOldest(): void {
    const count = countOf(this.#waiting.shift() ?? { samples: [], states: [] });
    this.#waitingCount -= count;
    this.#givenUp += count;
  }

  /** A restarted thread reopens the file, and gets all series announced again. */
  #refused(failure: WriteFailure, writes: readonly Waiting[]): void {
    this.#refusal = failure;
    for (const { reject } of writes) reject(notYet(failure));
    this.#putBack(writes);
    this.#tellFailure(failure);
    if (this.#closing) return this.#idle?.();
    this.#retry = setTimeout(() => void this.#tryAgain(), this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, longestRetryMs);
  }

  async #tryAgain(): Promise<void> {
    if (this.#retry) clearTimeout(this.#retry);
    this.#retry = null;
    await this.#thread?.stop();
    this.#thread = null;
    this.#refusal = null;
    this.#goOn();
  }

  #putBack(writes: readonly Waiting[]): void {
    this.#waiting.unshift(...writes);
    this.#waitingCount += writes.reduce((sum, write) => sum + countOf(write), 0);
  }

  #isBusy(): boolean {
    return this.#underWay !== null || this.#isReplacing || this.#refusal !== null;
  }

  #flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#isBusy() || this.#waiting.length === 0) return;
    const writes = this.#takeBatch();
    const id = (this.#batches += 1);
    const samples = writes.flatMap((write) => write.samples);
    const states = writes.flatMap((write) => write.states);
    this.#underWay = { id, writes };
    this.#overdue = setTimeout(() => this.#tellFailure(overdue), overdueMs);
    const thread = this.#startedThread();
    thread.send(toBatch(id, { samples, states }, this.#series));
  }

  /** As many whole writes as fit one transaction, at least one. */
  #takeBatch(): Waiting[] {
    let size = 0;
    const end = this.#waiting.findIndex((write, at) => (size += countOf(write)) > maxBatch && at > 0);
    const taken = this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
    this.#waitingCount -= taken.reduce((sum, write) => sum + countOf(write), 0);
    return taken;
  }

  /** A new thread knows no series numbers yet. */
  #startedThread(): WriterThread {
    if (this.#thread) return this.#thread;
    this.#series = new SeriesIndex();
    const thread = new WriterThread(this.#file, {
      answered: (answer) => this.#hear(answer),
      died: (message) => {
        this.#thread = null;
        this.#settle({ code: 'writer_stopped', message, is_damaged: false });
      },
    });
    this.#thread = thread;
    return thread;
  }

  #hear(answer: WriterAnswer): void {
    if (answer.kind === 'batch') this.#settle(answer.error);
    else if (answer.kind === 'salvaging') {
      this.#tellDamage(true, `measurements.db was damaged; what can be read of ${answer.aside} is being saved`);
    } else if (answer.kind === 'salvaged') {
      this.#tellDamage(false, answer.message);
    } else if (answer.error.is_damaged) {
      this.#damage = answer.error.message;
      if (!this.#isBusy()) this.#goOn();
    } else this.#tellFailure(answer.error);
  }

  #settle(error: WriteFailure | null): void {
    const writes = this.#underWay?.writes ?? [];
    this.#underWay = null;
    if (this.#overdue) clearTimeout(this.#overdue);
    if (error?.is_damaged === true && this.#mayReplace()) {
      this.#damage = error.message;
      this.#putBack(writes);
      return this.#goOn();
    }
    if (error && isDiskTrouble(error.code)) return this.#refused(error, writes);
    for (const { resolve, reject } of writes) {
      if (error) reject(new MeasurementWriteError(error.code, error.message));
      else resolve();
    }
    if (error) this.#tellFailure(error);
    else if (this.#isFailing) this.#tellKept();
    this.#goOn();
  }

  #goOn(): void {
    if (this.#damage !== null && this.#mayReplace()) void this.#replace(this.#damage);
    else if (this.#waiting.length > 0) this.#flush();
    else this.#idle?.();
  }

  #mayReplace(): boolean {
    return performance.now() - this.#replacedAt > replacePauseMs;
  }

  /** Replaces a damaged file by a new one; the thread that opens it takes over what it finds beside it. */
  async #replace(damage: string): Promise<void> {
    this.#isReplacing = true;
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
    this.#isReplacing = false;
    this.#goOn();
  }

  #tellFailure({ message }: WriteFailure): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#tell({
      code: 'measurements_not_kept',
      is_active: true,
      message: deviceSays('measurements_not_kept', { said: message }),
    });
  }

  #tellDamage(is_active: boolean, message: string): void {
    this.#tell({ code: 'measurements_damaged', is_active, message });
  }

  #tellKept(): void {
    const lost = this.#givenUp > 0 ? `; ${this.#givenUp} samples and states of the meantime are lost` : '';
    this.#isFailing = false;
    this.#givenUp = 0;
    this.#retryMs = firstRetryMs;
    this.#tell({ code: 'measurements_not_kept', is_active: false, message: `measurements are kept again${lost}` });
  }
}

function notYet({ code, message }: WriteFailure): MeasurementWriteError {
  const text = `not stored yet: ${message}; it waits in memory until the disk takes it`;
  return new MeasurementWriteError(code, text, { isWaiting: true });
}

function countOf({ samples, states }: BatchContent): number {
  return samples.length + states.length;
}

/**
 * Opens the writer of a measurements.db, which must be the only one. The file is opened with the first sample. `tell`
 * is called with faults of the file beyond those that the calls return.
 */
export function openMeasurementWriter(file: string, tell: ConditionListener = () => undefined): MeasurementWriter {
  return new SqliteMeasurementWriter(file, tell);
}
