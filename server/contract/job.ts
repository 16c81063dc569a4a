import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { errorCode, fieldError } from './errors.ts';
import { uuid } from './identifier.ts';
import { countOf } from './quantity.ts';
import { nextCursor, pageQuery } from './page.ts';
import { timestamp } from './time.ts';

/** Why a job failed: the refusal that the same call without `async` would get, with its members. */
export const jobError = z.looseObject({
  code: errorCode,
  detail: z.string(),
  errors: z.array(fieldError).optional(),
});
export type JobError = z.infer<typeof jobError>;

export const jobStatuses = ['running', 'done', 'failed', 'cancelled'] as const;
export const jobStatus = z.enum(jobStatuses).describe('cancelled: it ended on demand, and nothing of it was saved');
export const jobKinds = [
  'overlay.save',
  'parcel.from_csv',
  'cadastre.import',
  'pipe.generate',
  'climate.rehearse',
  'backup.create',
  'backup.check',
  'backup.take',
  'backup.copy',
  'backup.restore',
] as const;
export const jobKind = z.enum(jobKinds);
export type JobKind = z.infer<typeof jobKind>;

/** Long work started with `async`. Kept for a week after its end. */
export const job = z.strictObject({
  job_id: uuid,
  kind: jobKind,
  status: jobStatus,
  done: countOf('Of total, in what the work counts, e.g. rows; a save of a map is one'),
  total: countOf('What there is to do'),
  result: z.json().optional().describe('Of a job that is done: what the same call without async answers'),
  error: jobError.optional(),
  created_at: timestamp,
  ended_at: timestamp.nullable(),
});
export type Job = z.infer<typeof job>;

/**
 * The progress of a job, sent on the event stream to its owner only: at its start and end, and at most four times a
 * second in between.
 */
export const jobEvent = z.strictObject({
  kind: z.literal('job'),
  id: z.string().describe('That of the last event of the daemon'),
  at: timestamp,
  ...job.pick({ job_id: true, status: true, done: true, total: true }).shape,
});
export type JobEvent = z.infer<typeof jobEvent>;

/** Answer to a call with `async`. */
export const jobStarted = z.strictObject({ job_id: uuid });
export type JobStarted = z.infer<typeof jobStarted>;

const params = z.strictObject({ job_id: uuid });

export const jobEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/jobs',
    tag: 'jobs',
    summary: 'List the own jobs, the latest first, without their results',
    access: 'login',
    query: z.strictObject(pageQuery),
    answer: z.strictObject({ jobs: z.array(job.omit({ result: true })), next_cursor: nextCursor }),
    statuses: [200],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/jobs/:job_id',
    tag: 'jobs',
    summary: 'How far an own job is, and what came of it',
    access: 'login',
    params,
    answer: job,
    statuses: [200],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/jobs/:job_id',
    tag: 'jobs',
    summary:
      'Cancel an own job that runs, and answer how it ended, or that it still runs after 2 s; forget one that has ended: what it did stays',
    access: 'login',
    changesState: true,
    params,
    answer: job,
    statuses: [200],
  }),
};
