import { Worker } from 'node:worker_threads';
import { workerEntry } from '../../worker-entry.ts';
import { SeriesIndex, toBatch, type BatchContent, type WriterAnswer, type WriterTask } from './batch.ts';

interface ThreadEvents {
  answered: (answer: WriterAnswer) => void;
  /** Called when it ended without having been stopped; its tasks stay unanswered. */
  died: (message: string) => void;
}

/** The thread that has measurements.db open. */
export class WriterThread {
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  /** A new thread knows no numbers of series yet. */
  readonly #series = new SeriesIndex();
  #batches = 0;
  #isStopped = false;

  constructor(file: string, { answered, died }: ThreadEvents) {
    this.#worker = new Worker(workerEntry('sample-writer-worker', import.meta.url), { workerData: file });
    this.#worker.on('message', answered);
    let reason = 'the writing thread ended';
    this.#worker.on('error', (error: Error) => (reason = error.message));
    this.#ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        resolve();
        if (!this.#isStopped) died(reason);
      });
    });
  }

  /** Writes this in one transaction. */
  send(content: BatchContent): void {
    const batch = toBatch((this.#batches += 1), content, this.#series);
    const { series, time_ms, value, quality } = batch;
    this.#post({ kind: 'batch', batch }, [series.buffer, time_ms.buffer, value.buffer, quality.buffer]);
  }

  ask(task: WriterTask): void {
    this.#post(task, []);
  }

  /** Resolves when it has released the file. */
  stop(): Promise<void> {
    if (!this.#isStopped) this.#post({ kind: 'close' }, []);
    this.#isStopped = true;
    return this.#ended;
  }

  #post(task: WriterTask, transferred: ArrayBuffer[]): void {
    this.#worker.postMessage(task, transferred);
  }
}
