import { BackupError, faultOf } from '../../backup/backup-error.ts';
import { inThread } from '../../backup/backup-thread.ts';
import type { BackupTasks } from '../../backup/backup-tasks.ts';
import { Refusal } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { JobWork } from '../record/job.ts';

/** One job at a time: each may need as much space as all databases. */
export class BackupWork {
  readonly #ended = new AbortController();
  #isBusy = false;

  /** Aborts the job, which leaves nothing behind. */
  stop(): void {
    this.#ended.abort();
  }

  /** Runs it at once. Throws `conflict`, `backup_failed`. */
  async now(work: JobWork): Promise<void> {
    await work.run(() => undefined, this.#ended.signal);
  }

  /** A job that fails with `backup_failed` and the fault. Throws `conflict` while another one runs. */
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

  /** Runs a task in its own thread; after an abort the caller removes what is left. Throws BackupError. */
  inThread<Task extends keyof BackupTasks>(
    task: Task,
    asked: Parameters<BackupTasks[Task]>[0],
    signal: AbortSignal,
  ): Promise<Awaited<ReturnType<BackupTasks[Task]>>> {
    return inThread(task, asked, { signal, hurry: this.#ended.signal });
  }
}

/** A backup error as a refusal with its fault; anything else unchanged. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof BackupError)) return error;
  return new Refusal('backup_failed', error.message, { cause: error, members: { fault: faultOf(error) } });
}

/** Whether the error concerns the file, not the request or the disk. */
export function isOfFile(error: unknown): error is BackupError {
  return error instanceof BackupError && ['damaged', 'not_a_backup', 'too_new'].includes(error.code);
}

function busy(): Refusal {
  return new Refusal('conflict', why('backup_under_way'));
}
