import { Worker } from 'node:worker_threads';
import { workerEntry } from '../../worker-entry.ts';

/** A check of a whole file, in a separate thread beside the writer. */
export interface IntegrityCheck {
  /** The faults of the file, line by line. Rejects when the check was not possible. */
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
