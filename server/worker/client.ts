import { Worker } from 'node:worker_threads';
import { Refusal, type ErrorCode, type FieldError } from '../contract/errors.ts';

/** Tasks of a worker by name. The first argument of each is the worker's own: a store on its own connection. */
type Tasks<Own> = Record<string, (own: Own, ...given: never[]) => unknown>;

export type Given<Task> = Task extends (own: never, ...given: infer Arguments) => unknown ? Arguments : never;

/** Text comes back as UTF-8 bytes, transferred without a copy. */
export type Returned<Task> = Task extends (...given: never[]) => infer Result
  ? Awaited<Result> extends string
    ? Buffer
    : Awaited<Result>
  : never;

export interface TaskMessage {
  id: number;
  name: string;
  given: unknown[];
}

export type TaskAnswer =
  | { id: number; result: unknown }
  | {
      id: number;
      refusal: { code: ErrorCode; detail: string; errors?: FieldError[]; members: Record<string, unknown> };
    }
  | { id: number; fault: { code: string; message: string; stack: string | undefined } };

/** The message that asks the worker to end. */
export const closeMessage = 'close';

/** The message by which a task makes a request; it calls `asked`. */
export const askMessage = 'ask';

/**
 * Work that a worker did not finish. `code` is that of its error, `worker_stopped`, `worker_timeout`,
 * `too_many_waiting` or `closed`.
 */
export class WorkerError extends Error {
  override readonly name = 'WorkerError';
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

interface WorkerOptions {
  entry: URL;
  /** Passed to the worker as its workerData. */
  data: unknown;
  /**
   * How long one task may take, from when the worker got it or it last asked, before the worker is terminated; waiting
   * tasks go to another.
   */
  timeoutMs: number;
  /** An idle worker ends after this time, and frees its memory; default 60 s, null for never. */
  idleMs?: number | null;
  /** Called when a task asks by `askMessage`. */
  asked?: () => void;
  /** Memory limit of the worker, which ends instead of the program; default unlimited. */
  mostMemoryMb?: number;
}

interface Waiting {
  message: TaskMessage;
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

/** How long a close waits for the task under way. */
const closeTimeoutMs = 3000;
const defaultIdleMs = 60_000;
/**
 * Maximum tasks running or waiting. Rules of a large site ask for hundreds at one moment; beyond this more are refused
 * before they fill the memory.
 */
export const mostWaiting = 1_000;

/**
 * Runs tasks one after another in a worker thread, which starts with the first. Refusals arrive as they were thrown. A
 * worker that dies or takes too long fails only its current task.
 */
export class WorkerClient<Own, Work extends Tasks<Own>> {
  readonly #options: WorkerOptions;
  /** In order; the worker has the first, once its timer runs. */
  readonly #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | null = null;
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;
  #lastId = 0;
  #isClosed = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /** True while a task runs or waits. */
  get isBusy(): boolean {
    return this.#waiting.length > 0;
  }

  run<Name extends keyof Work & string>(name: Name, ...given: Given<Work[Name]>): Promise<Returned<Work[Name]>> {
    if (this.#isClosed) return Promise.reject(new WorkerError('closed', 'the worker is closed'));
    if (this.#waiting.length >= mostWaiting) {
      return Promise.reject(new WorkerError('too_many_waiting', `${mostWaiting} tasks wait already`));
    }
    clearTimeout(this.#idle);
    const id = (this.#lastId += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ message: { id, name, given }, resolve, reject });
      this.#sendNext();
    });
  }

  /** Lets the work under way finish for up to 3 s; later calls are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    const worker = this.#worker;
    if (worker === null) return;
    // Waiting tasks share the time limit with the one under way.
    for (const { message } of this.#waiting.slice(1)) post(worker, message);
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    const timer = setTimeout(() => void worker.terminate(), closeTimeoutMs);
    worker.postMessage(closeMessage);
    await ended;
    clearTimeout(timer);
  }

  /** Ends at once, for work that stores nothing: what is under way fails; later calls are refused. */
  async end(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const { entry, data, mostMemoryMb } = this.#options;
    const resourceLimits = mostMemoryMb === undefined ? {} : { maxOldGenerationSizeMb: mostMemoryMb };
    const worker = new Worker(entry, { workerData: data, resourceLimits });
    worker.on('message', (message: TaskAnswer | typeof askMessage) => {
      if (message === askMessage) {
        this.#timer?.refresh();
        this.#options.asked?.();
      } else this.#settle(message);
    });
    worker.on('error', (cause: Error) =>
      this.#lose(worker, new WorkerError('worker_stopped', cause.message, { cause })),
    );
    worker.on('exit', () => this.#lose(worker, new WorkerError('worker_stopped', 'the worker ended')));
    worker.unref();
    return worker;
  }

  #sendNext(): void {
    const [next] = this.#waiting;
    if (next === undefined || this.#timer !== null || this.#isClosed) return;
    const { name } = next.message;
    const worker = (this.#worker ??= this.#start());
    this.#timer = setTimeout(() => {
      this.#lose(worker, new WorkerError('worker_timeout', `${name} took over ${this.#options.timeoutMs} ms`));
      void worker.terminate();
    }, this.#options.timeoutMs);
    try {
      post(worker, next.message);
    } catch (error) {
      this.#taken().reject(error as Error); // a DataCloneError: it holds what cannot be sent
      this.#sendNext();
    }
  }

  /** Removes the worker's current task from the list. */
  #taken(): Waiting {
    const [first] = this.#waiting.splice(0, 1);
    if (first === undefined) throw new Error('the worker has no task');
    clearTimeout(this.#timer ?? undefined);
    this.#timer = null;
    return first;
  }

  #settle(answer: TaskAnswer): void {
    if (this.#waiting[0]?.message.id !== answer.id) return;
    const waiting = this.#taken();
    if ('refusal' in answer) waiting.reject(refusalFrom(answer.refusal));
    else if ('fault' in answer) waiting.reject(faultFrom(answer.fault));
    else waiting.resolve(bytesAsBuffer(answer.result) as never); // what the task of this name returned
    this.#sendNext();
    const { idleMs = defaultIdleMs } = this.#options;
    if (!this.isBusy && idleMs !== null) this.#idle = setTimeout(() => this.#rest(), idleMs).unref();
  }

  /** The worker closes what it has open and ends; the next task starts another. */
  #rest(): void {
    this.#worker?.postMessage(closeMessage);
    this.#worker = null;
  }

  /**
   * Its current task fails; the next one starts another worker, unless this one was closed with everything that waited.
   */
  #lose(worker: Worker, error: WorkerError): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    const isAtWork = this.#timer !== null;
    const lost = [...(isAtWork ? [this.#taken()] : []), ...(this.#isClosed ? this.#waiting.splice(0) : [])];
    for (const { reject } of lost) reject(error);
    this.#sendNext();
  }
}

function post(worker: Worker, message: TaskMessage): void {
  worker.postMessage(message, message.given.flatMap(ownBuffer));
}

/** Bytes with a buffer of their own are transferred; those in a shared buffer are copied. */
export function ownBuffer(value: unknown): ArrayBuffer[] {
  if (!(value instanceof Uint8Array) || !(value.buffer instanceof ArrayBuffer)) return [];
  return value.byteLength === value.buffer.byteLength ? [value.buffer] : [];
}

function refusalFrom({ code, detail, errors, members }: Extract<TaskAnswer, { refusal: unknown }>['refusal']): Refusal {
  return new Refusal(code, detail, { ...(errors !== undefined && { errors }), members });
}

function faultFrom({ code, message, stack }: Extract<TaskAnswer, { fault: unknown }>['fault']): WorkerError {
  return Object.assign(new WorkerError(code, message), { stack });
}

function bytesAsBuffer(result: unknown): unknown {
  return result instanceof Uint8Array ? Buffer.from(result.buffer, result.byteOffset, result.byteLength) : result;
}
