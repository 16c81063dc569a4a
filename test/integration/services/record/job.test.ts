import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { LaterWrites } from '../../../../server/db/later-writes.ts';
import { JobRepository } from '../../../../server/db/repositories/job.ts';
import { JobRunner } from '../../../../server/services/record/job.ts';
import { testDatabase } from '../../../support/database.ts';
import { grower } from '../../../support/devices.ts';

function runner() {
  const db = testDatabase('orangery');
  const faults: unknown[] = [];
  const jobs = new JobRunner({
    rows: new JobRepository(db),
    later: new LaterWrites({ db }),
    clock: Date.now,
    trusted: Date.now,
    onFault: (error) => void faults.push(error),
  });
  return { jobs, faults };
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
