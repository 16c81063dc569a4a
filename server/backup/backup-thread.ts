import { Worker } from 'node:worker_threads';
import type { BackupFault } from '../contract/backup.ts';
import { workerEntry } from '../worker-entry.ts';
import { BackupError } from './backup-error.ts';
import type { BackupTasks } from './backup-tasks.ts';

/** Enough for the largest databases on the slowest disk; a task that takes longer hangs. */
const timeoutMs = 60 * 60_000;

type Answer<Result> = { result: Result } | { fault: BackupFault };

interface Ending {
  /** Aborts the work. */
  signal: AbortSignal;
  /** Aborts it with the program, which does not wait for SQLite in the middle of a copy. */
  hurry: AbortSignal;
}

/**
 * Runs one backup task in a thread that ends with it. Throws BackupError; then the caller removes what the task left,
 * as a terminated thread removes nothing.
 */
export async function inThread<Task extends keyof BackupTasks>(
  task: Task,
  asked: Parameters<BackupTasks[Task]>[0],
  { signal, hurry }: Ending,
): Promise<Awaited<ReturnType<BackupTasks[Task]>>> {
  const worker = new Worker(workerEntry('backup-worker', import.meta.url), { workerData: { task, asked } });
  const timer = setTimeout(() => void worker.terminate(), timeoutMs);
  const {
    promise: answered,
    resolve,
    reject,
  } = Promise.withResolvers<Answer<Awaited<ReturnType<BackupTasks[Task]>>>>();
  answered.catch(() => undefined); // of work that was given up before
  const end = (): void => reject(new BackupError('failed', 'the work was ended before it was done'));
  worker.once('message', resolve);
  worker.once('error', reject);
  worker.once('exit', end);
  const either = AbortSignal.any([signal, hurry]);
  either.addEventListener('abort', end, { once: true });
  try {
    either.throwIfAborted();
    const answer = await answered;
    if ('fault' in answer) throw new BackupError(answer.fault.code, answer.fault.message);
    return answer.result;
  } finally {
    clearTimeout(timer);
    either.removeEventListener('abort', end);
    const ended = worker.terminate();
    if (!hurry.aborted) await ended;
  }
}
