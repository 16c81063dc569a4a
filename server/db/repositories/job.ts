import type { Database, Statement } from 'better-sqlite3';
import type { Job } from '../../contract/job.ts';

/** A job as it is stored; result and error are JSON. */
export type JobRow = Omit<Job, 'result' | 'error'> & { result: string | null; error: string | null };

const columns = 'job_id, kind, status, done, total, result, error, created_at, ended_at';

/** The jobs of orangery.db, each of one user. Identifiers in lower case. */
export class JobRepository {
  readonly #database: Database;
  readonly #ofUser: Statement<[string | null], JobRow>;
  readonly #one: Statement<[string | null, string], JobRow>;

  constructor(database: Database) {
    this.#database = database;
    this.#ofUser = database.prepare(
      `SELECT ${columns.replace('result', 'NULL AS result')} FROM jobs WHERE user_id IS ? ORDER BY ordinal DESC`,
    );
    this.#one = database.prepare(`SELECT ${columns} FROM jobs WHERE user_id IS ? AND job_id = ?`);
  }

  /** Latest first, results left out. */
  list(userId: string | null): JobRow[] {
    return this.#ofUser.all(userId);
  }

  get(userId: string | null, id: string): JobRow | undefined {
    return this.#one.get(userId, id);
  }

  insert(userId: string | null, job: JobRow): void {
    this.#database
      .prepare(
        `INSERT INTO jobs (user_id, ${columns}) VALUES (@user_id, @job_id, @kind, @status, @done, @total, @result, @error,
           @created_at, @ended_at)`,
      )
      .run({ user_id: userId, ...job });
  }

  /** Stores how a job ended. */
  end(job: Pick<JobRow, 'job_id' | 'status' | 'done' | 'result' | 'error' | 'ended_at'>): void {
    this.#database
      .prepare(
        `UPDATE jobs SET status = @status, done = @done, result = @result, error = @error, ended_at = @ended_at
         WHERE job_id = @job_id`,
      )
      .run(job);
  }

  /** Marks every running job as failed: they belong to an earlier run of the program. */
  failRunning(error: string, at: string): number {
    return this.#database
      .prepare("UPDATE jobs SET status = 'failed', error = ?, ended_at = ? WHERE status = 'running'")
      .run(error, at).changes;
  }

  remove(id: string): void {
    this.#database.prepare('DELETE FROM jobs WHERE job_id = ?').run(id);
  }

  removeEndedBefore(at: string): void {
    this.#database.prepare('DELETE FROM jobs WHERE ended_at < ?').run(at);
  }
}
