import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { LaterWrites } from '../../../../server/db/later-writes.ts';
import { JobRepository } from '../../../../server/db/repositories/job.ts';
import { JobRunner } from '../../../../server/services/record/job.ts';
import { testDatabase } from '../../../support/database.ts';
import { grower } from '../../../support/devices.ts';

function runner(limits: { mostBytes?: number } = {}) {
  const db = testDatabase('orangery');
  const faults: unknown[] = [];
  const later = new LaterWrites({ db, ...limits });
  const rows = new JobRepository(db);
  const jobs = new JobRunner({
    rows,
    later,
    clock: Date.now,
    trusted: Date.now,
    onFault: (error) => void faults.push(error),
  });
  return { db, rows, later, jobs, faults };
}

it('a stop aborts the job under way, which failed because the service ended', async () => {
  const { jobs, faults } = runner();
  const id = jobs.begin(grower, {
    kind: 'parcel.from_csv',
    total: 1,
    run: async (_report, signal) => pause(60_000, undefined, { signal }),
  });
  await jobs.stop();
  expect(jobs.get(grower, id)).toMatchObject({
    status: 'failed',
    error: { code: 'internal_error', detail: 'the service ended before the work was done' },
  });
  expect(faults).toEqual([]);
});

it('an end that finds no room among the waiting writes is stored when there is some', async () => {
  const { db, rows, later, jobs } = runner({ mostBytes: 1_000 });
  const work = Promise.withResolvers<string>();
  const id = jobs.begin(grower, { kind: 'parcel.from_csv', total: 1, run: () => work.promise });
  db.pragma('query_only = ON');
  later.put({ write: () => db.exec('PRAGMA user_version = 1'), bytes: 900 });
  work.resolve('all of it');
  await vi.waitFor(() => expect(jobs.get(grower, id).status).toBe('done'));
  db.pragma('query_only = OFF');
  later.flush();
  expect(rows.get(grower.user_id, id)).toMatchObject({ status: 'done', result: '"all of it"' });
});

it('a cancelled job that does not end is answered as running, and ends later', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { jobs } = runner();
  const work = Promise.withResolvers<never>();
  const id = jobs.begin(grower, { kind: 'parcel.from_csv', total: 1, run: () => work.promise });
  const removed = jobs.remove(grower, id);
  await vi.advanceTimersByTimeAsync(2_000);
  expect((await removed).status).toBe('running');
  work.reject(new Error('aborted'));
  await jobs.stop();
  expect(jobs.get(grower, id).status).toBe('cancelled');
});
