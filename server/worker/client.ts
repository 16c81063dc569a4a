import { Worker } from 'node:worker_threads';
import { Refusal, type ErrorCode, type FieldError } from '../contract/errors.ts';

/** Work that a worker knows by name. What comes first in each is the worker's own: a store on its own connection. */
type Tasks<Own> = Record<string, (own: Own, ...given: never[]) => unknown>;

export type Given<Task> = Task extends (own: never, ...given: infer Arguments) => unknown ? Arguments : never;

/** Text comes back as UTF-8 bytes, handed over without a copy. */
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

/** The worker is asked to end by this message. */
export const closeMessage = 'close';

/** A task asks for something by this message, and `asked` is called. */
export const askMessage = 'ask';

/** Work that a worker did not finish. `code` is that of its error, `worker_stopped`, `worker_timeout`, `too_many_waiting` or `closed`. */
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
  /** Handed to the worker as its workerData. */
  data: unknown;
  /** How long one task may take once the worker has it or it asked last, before the worker is ended; what waits behind it goes to another. */
  timeoutMs: number;
  /** With nothing to do for so long the worker ends, and its memory with it; 60 s when absent, null: it never does. */
  idleMs?: number | null;
  /** Called when a task asks by `askMessage`. */
  asked?: () => void;
  /** A worker that needs more memory ends, and not the program with it; as much as there is when absent. */
  mostMemoryMb?: number;
}

interface Waiting {
  message: TaskMessage;
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

/** A task that still runs when the program ends is waited for no longer than this. */
const closeTimeoutMs = 3000;
const defaultIdleMs = 60_000;
/** Tasks that run or wait. Rules of a large site ask for hundreds at one moment; what comes without end is refused before it fills the memory. */
export const mostWaiting = 1_000;

/**
 * Runs tasks one after another in a worker thread, which starts with the first. Refusals arrive as they were thrown. A worker that dies
 * or takes too long fails the task that it has, and no other.
 */
export class WorkerClient<Own, Work extends Tasks<Own>> {
  readonly #options: WorkerOptions;
  /** In their order; the worker has the first, once its timer runs. */
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
    // They have no longer than the one under way: all of them together.
    for (const { message } of this.#waiting.slice(1)) post(worker, message);
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    const timer = setTimeout(() => void worker.terminate(), closeTimeoutMs);
    worker.postMessage(closeMessage);
    await ended;
    clearTimeout(timer);
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

  /** Takes the task that the worker has off the list. */
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

  /** The task that it had fails; the next one starts another worker, unless this one was closed with all that waited. */
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

/** Bytes that have a buffer to themselves are handed over; what shares one with others is copied. */
function ownBuffer(value: unknown): ArrayBuffer[] {
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
