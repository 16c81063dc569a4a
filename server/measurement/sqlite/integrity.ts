import { Worker } from 'node:worker_threads';
import { workerEntry } from '../../worker-entry.ts';

/** A look through a whole file, by a thread of its own and beside the writer. */
export interface IntegrityCheck {
  /** What is wrong with the file, line by line. Rejects when that could not be found out. */
  faults: Promise<string[]>;
  stop(): void;
}

export function checkIntegrity(file: string): IntegrityCheck {
  const worker = new Worker(workerEntry('integrity-worker', import.meta.url), { workerData: file });
  const faults = new Promise<string[]>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the check was stopped')));
  });
  return { faults, stop: () => void worker.terminate() };
}
