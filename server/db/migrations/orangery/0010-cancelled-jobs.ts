import type { Migration } from '../../migration.ts';

/** Long work may be cancelled. */
export const cancelledJobs: Migration = {
  version: 10,
  name: 'cancelled-jobs',
  sql: `
    CREATE TABLE jobs_with_cancelled (
      ordinal INTEGER PRIMARY KEY,
      job_id TEXT NOT NULL UNIQUE,
      user_id TEXT, -- no reference: work goes on when its user is removed
      kind TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed', 'cancelled')),
      done INTEGER NOT NULL,
      total INTEGER NOT NULL,
      result TEXT CHECK (result IS NULL OR json_valid(result)),
      error TEXT CHECK (error IS NULL OR json_valid(error)),
      created_at TEXT NOT NULL,
      ended_at TEXT
    ) STRICT;
    INSERT INTO jobs_with_cancelled SELECT ordinal, job_id, user_id, kind, status, done, total, result, error, created_at,
      ended_at FROM jobs;
    DROP TABLE jobs;
    ALTER TABLE jobs_with_cancelled RENAME TO jobs;
    CREATE INDEX jobs_by_user ON jobs (user_id, ordinal);
    CREATE INDEX jobs_by_end ON jobs (ended_at) WHERE ended_at IS NOT NULL;
  `,
};
