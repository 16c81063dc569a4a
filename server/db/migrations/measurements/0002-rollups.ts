import type { Migration } from '../../migration.ts';

const rollup = (table: string): string => `
    CREATE TABLE ${table} (
      series_id INTEGER NOT NULL,
      start_ms INTEGER NOT NULL,
      count INTEGER NOT NULL CHECK (count > 0),
      sum REAL NOT NULL,
      min REAL NOT NULL,
      max REAL NOT NULL,
      first_ms INTEGER NOT NULL,
      first REAL NOT NULL,
      last_ms INTEGER NOT NULL,
      last REAL NOT NULL,
      PRIMARY KEY (series_id, start_ms)
    ) STRICT, WITHOUT ROWID;`;

/** server/measurement/README.md describes the tables and how they are maintained. */
export const rollups: Migration = {
  version: 2,
  name: 'rollups',
  sql: `
    ${['rollup_minute', 'rollup_quarter', 'rollup_day'].map(rollup).join('\n')}

    CREATE TABLE state_interval (
      series_id INTEGER NOT NULL,
      start_ms INTEGER NOT NULL,
      end_ms INTEGER CHECK (end_ms > start_ms),
      seen_ms INTEGER NOT NULL CHECK (seen_ms >= start_ms),
      state REAL,
      PRIMARY KEY (series_id, start_ms)
    ) STRICT, WITHOUT ROWID;

    -- what is open at a start, without a walk through years of intervals
    CREATE UNIQUE INDEX state_interval_open ON state_interval (series_id) WHERE end_ms IS NULL;
  `,
};
