import { isoOf } from '../../contract/time.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Actor } from '../../auth/actor.ts';
import type { Now } from '../../auth/now.ts';
import { isRefusal, Refusal } from '../../contract/errors.ts';
import { job, type Job, type JobError, type JobEvent, type JobKind } from '../../contract/job.ts';
import type { LaterWrites } from '../../db/later-writes.ts';
import type { JobRepository, JobRow } from '../../db/repositories/job.ts';
import { storageFaultOf } from '../../db/storage-fault.ts';

interface JobOptions {
  rows: JobRepository;
  /** Stores how a job ended, even if the disk refuses it at first. */
  later: Pick<LaterWrites, 'put' | 'subscribe'>;
  clock: Now;
  /** The trusted time, by which old jobs are deleted. */
  trusted: Now;
  /** Called with failures other than refusals. */
  onFault: (error: unknown) => void;
}

/**
 * Long work: its extent, and the work itself, which may report progress. When aborted it rejects with nothing saved.
 */
export interface JobWork {
  kind: JobKind;
  total: number;
  run: (report: (done: number) => void, signal: AbortSignal) => Promise<unknown>;
}

/** The state of a job as events carry it. */
export type JobProgress = Omit<JobEvent, 'id' | 'kind'>;

interface Running {
  owner: string | null;
  total: number;
  done: number;
  /** When the job's state was last published, epoch ms. */
  toldMs: number;
  cancel: AbortController;
  end: Promise<void>;
}

type Ended = Parameters<JobRepository['end']>[0];

type ProgressListener = (owner: string | null, progress: JobProgress) => void;

/** Time between two progress events, ms. */
const tellEveryMs = 250;
/** How long a cancellation waits for the end. */
const endsWithinMs = 2_000;
const keptMs = 7 * 24 * 3_600_000;
/** Maximum jobs of one user at a time: each may hold a large body. */
const mostRunning = 4;
/** Why a stop aborts jobs; a user's cancellation gives no reason. */
const serviceEnds = new DOMException('the service ends', 'AbortError');
const interrupted: JobError = { code: 'internal_error', detail: 'the service ended before the work was done' };

/** Runs long work beside the request that asked for it, and keeps its result. Identifiers in lower case. */
export class JobRunner {
  readonly #options: JobOptions;
  readonly #running = new Map<string, Running>();
  /** Ends that are not on disk yet. */
  readonly #ends = new Map<string, Ended>();
  /** Those among them for which there was no room among the waiting writes. */
  readonly #withoutRoom: Ended[] = [];
  readonly #listeners = new Set<ProgressListener>();

  constructor(options: JobOptions) {
    this.#options = options;
    options.later.subscribe(() => {
      for (const row of this.#withoutRoom.splice(0)) this.#store(row);
    });
  }

  /**
   * Marks as failed what an earlier run of the program did not finish; call once before any job begins. If the disk
   * refuses, the next start does it.
   */
  start(): void {
    try {
      this.#options.rows.failRunning(JSON.stringify(interrupted), this.#now());
    } catch (error) {
      if (storageFaultOf(error) === undefined) throw error;
    }
  }

  /** Aborts the jobs under way, which fail, and waits for their end. */
  async stop(): Promise<void> {
    for (const { cancel } of this.#running.values()) cancel.abort(serviceEnds);
    await Promise.all([...this.#running.values()].map(({ end }) => end));
  }

  /** Starts work and returns the id of its job. Throws `rate_limited` while four of the caller's jobs run. */
  begin({ user_id: owner }: Actor, { kind, total, run }: JobWork): string {
    const own = [...this.#running.values()].filter((one) => one.owner === owner);
    if (own.length >= mostRunning) {
      const headers = { 'Retry-After': '5' };
      throw new Refusal('rate_limited', `${mostRunning} of your jobs run: wait for one to end`, { headers });
    }
    const { rows, clock, trusted } = this.#options;
    rows.removeEndedBefore(isoOf(trusted() - keptMs));
    const job_id = randomUUID();
    const created_at = this.#now();
    const empty = { result: null, error: null, ended_at: null };
    rows.insert(owner, { job_id, kind, status: 'running', done: 0, total, ...empty, created_at });
    const cancel = new AbortController();
    const running: Running = { owner, total, done: 0, toldMs: clock(), cancel, end: Promise.resolve() };
    this.#running.set(job_id, running); // before the work begins: it may report at once
    this.#tell(owner, { job_id, status: 'running', done: 0, total });
    running.end = this.#finish(job_id, running, run);
    return job_id;
  }

  list({ user_id }: Actor): Omit<Job, 'result'>[] {
    return this.#options.rows.list(user_id).map((row) => this.#shown(row));
  }

  /** Throws `not_found`. */
  get({ user_id }: Actor, id: string): Job {
    const row = this.#options.rows.get(user_id, id);
    if (row === undefined) throw new Refusal('not_found', 'you have no such job');
    return this.#shown(row);
  }

  /** Calls the listener whenever a job progresses; returns an unsubscribe function. */
  subscribe(listener: ProgressListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The state of running jobs, and of those that ended at `since` (ISO 8601) or later. */
  progress({ user_id }: Actor, since?: string): JobProgress[] {
    const at = this.#now();
    const isTold = ({ ended_at }: JobRow): boolean => ended_at === null || (since !== undefined && ended_at >= since);
    return this.#options.rows
      .list(user_id)
      .map((row) => ({ ...row, ...this.#ends.get(row.job_id) }))
      .filter(isTold)
      .map((row) => {
        const { job_id, status, done, total } = this.#shown(row);
        return { job_id, status, done, total, at };
      });
  }

  /**
   * Cancels a running job and returns its end, done if it was too late, or running if it takes over 2 s to end; deletes
   * an ended one and returns it a last time. Throws `not_found`.
   */
  async remove(actor: Actor, id: string): Promise<Job> {
    const found = this.get(actor, id);
    const running = this.#running.get(id);
    if (running === undefined) {
      this.#options.rows.remove(id);
      return found;
    }
    running.cancel.abort();
    await Promise.race([running.end, delay(endsWithinMs, undefined, { ref: false })]);
    return this.get(actor, id);
  }

  #shown(stored: JobRow): Job {
    const { result, error, ...row } = { ...stored, ...this.#ends.get(stored.job_id) };
    const done = this.#running.get(row.job_id)?.done ?? row.done;
    const read = (text: string): unknown => JSON.parse(text);
    return job.parse({
      ...row,
      done,
      ...(result !== null && { result: read(result) }),
      ...(error !== null && { error: read(error) }),
    });
  }

  async #finish(job_id: string, running: Running, run: JobWork['run']): Promise<void> {
    const { signal } = running.cancel;
    try {
      const result = JSON.stringify((await run((done) => this.#report(job_id, done), signal)) ?? null);
      this.#end({ job_id, status: 'done', done: running.total, result, error: null }, running);
    } catch (error) {
      const { done } = running;
      if (signal.aborted && signal.reason !== serviceEnds)
        this.#end({ job_id, status: 'cancelled', done, result: null, error: null }, running);
      else {
        const told = JSON.stringify(signal.reason === serviceEnds ? interrupted : this.#told(error));
        this.#end({ job_id, status: 'failed', done, result: null, error: told }, running);
      }
    } finally {
      this.#running.delete(job_id);
    }
  }

  #report(job_id: string, done: number): void {
    const running = this.#running.get(job_id);
    if (running === undefined) return;
    running.done = done;
    const nowMs = this.#options.clock();
    if (Math.abs(nowMs - running.toldMs) < tellEveryMs) return; // a clock that was set back counts as passed
    running.toldMs = nowMs;
    this.#tell(running.owner, { job_id, status: 'running', done, total: running.total });
  }

  #end(ended: Omit<Ended, 'ended_at'>, { owner, total }: Running): void {
    const { job_id, status, done } = ended;
    const row = { ...ended, ended_at: this.#now() };
    this.#ends.set(job_id, row);
    this.#store(row);
    this.#tell(owner, { job_id, status, done, total });
  }

  #store(row: Ended): void {
    const { job_id, result } = row;
    const isTaken = this.#options.later.put({
      name: `job ${job_id}`,
      bytes: 500 + 2 * (result?.length ?? 0),
      write: () => this.#options.rows.end(row),
      stored: () => this.#ends.delete(job_id),
    });
    if (!isTaken) this.#withoutRoom.push(row);
  }

  #tell(owner: string | null, progress: Omit<JobProgress, 'at'>): void {
    for (const listener of this.#listeners) listener(owner, { ...progress, at: this.#now() });
  }

  #told(error: unknown): JobError {
    if (isRefusal(error)) {
      const { code, message: detail, errors, members } = error;
      return { ...members, code, detail, ...(errors !== undefined && { errors }) };
    }
    this.#options.onFault(error);
    return { code: 'internal_error', detail: 'the work could not be done' };
  }

  #now(): string {
    return isoOf(this.#options.clock());
  }
}
