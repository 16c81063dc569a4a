import type { Migration } from '../../migration.ts';

/** Notes, dashboards and long work. Notes have no foreign keys: they outlive their subject. */
export const notesAndDashboards: Migration = {
  version: 6,
  name: 'notes-dashboards',
  sql: `
    CREATE TABLE notes (
      ordinal INTEGER PRIMARY KEY,
      unique_id TEXT NOT NULL UNIQUE,
      text TEXT NOT NULL,
      category TEXT,
      time TEXT NOT NULL,
      device_id TEXT,
      facility_uuid TEXT,
      map_uuid TEXT,
      author TEXT,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX notes_by_time ON notes (time, ordinal);

    CREATE TABLE dashboards (
      ordinal INTEGER PRIMARY KEY,
      unique_id TEXT NOT NULL UNIQUE,
      user_id TEXT NOT NULL REFERENCES users (unique_id) ON DELETE CASCADE,
      name TEXT NOT NULL,
      widgets TEXT NOT NULL CHECK (json_type(widgets) = 'array'),
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX dashboards_by_user ON dashboards (user_id, ordinal);

    CREATE TABLE jobs (
      ordinal INTEGER PRIMARY KEY,
      job_id TEXT NOT NULL UNIQUE,
      user_id TEXT, -- no reference: work goes on when its user is removed
      kind TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('running', 'done', 'failed')),
      done INTEGER NOT NULL,
      total INTEGER NOT NULL,
      result TEXT CHECK (result IS NULL OR json_valid(result)),
      error TEXT CHECK (error IS NULL OR json_valid(error)),
      created_at TEXT NOT NULL,
      ended_at TEXT
    ) STRICT;
    CREATE INDEX jobs_by_user ON jobs (user_id, ordinal);
    CREATE INDEX jobs_by_end ON jobs (ended_at) WHERE ended_at IS NOT NULL;
  `,
};
