import { BackupError, faultOf } from '../../backup/backup-error.ts';
import { inThread } from '../../backup/backup-thread.ts';
import type { BackupTasks } from '../../backup/backup-tasks.ts';
import { Refusal } from '../../contract/errors.ts';
import type { JobWork } from '../record/job.ts';

/** One piece of work at a time: each may need as much room as all databases. */
export class BackupWork {
  readonly #ended = new AbortController();
  #isBusy = false;

  /** Ends what is worked on: nothing is left of it. */
  stop(): void {
    this.#ended.abort();
  }

  /** Does it at once. Throws `conflict`, `backup_failed`. */
  async now(work: JobWork): Promise<void> {
    await work.run(() => undefined, this.#ended.signal);
  }

  /** A job that fails with `backup_failed` and the fault. Throws `conflict` while another one is worked on. */
  job(kind: JobWork['kind'], run: (signal: AbortSignal) => Promise<unknown>): JobWork {
    if (this.#isBusy) throw busy();
    return {
      kind,
      total: 1,
      run: async (_report, signal) => {
        if (this.#isBusy) throw busy();
        this.#isBusy = true;
        try {
          return await run(AbortSignal.any([signal, this.#ended.signal]));
        } catch (error) {
          throw refusalOf(error);
        } finally {
          this.#isBusy = false;
        }
      },
    };
  }

  /** In a thread of its own; what is left of one that is ended is the caller's to remove. Throws BackupError. */
  inThread<Task extends keyof BackupTasks>(
    task: Task,
    asked: Parameters<BackupTasks[Task]>[0],
    signal: AbortSignal,
  ): Promise<Awaited<ReturnType<BackupTasks[Task]>>> {
    return inThread(task, asked, { signal, hurry: this.#ended.signal });
  }
}

/** What is wrong with a backup as a refusal with its fault; anything else as it is. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof BackupError)) return error;
  return new Refusal('backup_failed', error.message, { cause: error, members: { fault: faultOf(error) } });
}

/** Of what says something of the file, and not of who asked or of the disk that it was tried on. */
export function isOfFile(error: unknown): error is BackupError {
  return error instanceof BackupError && ['damaged', 'not_a_backup', 'too_new'].includes(error.code);
}

function busy(): Refusal {
  return new Refusal('conflict', 'another backup is worked on: wait for it to end');
}
