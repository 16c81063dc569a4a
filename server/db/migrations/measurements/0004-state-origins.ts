import type { Migration } from '../../migration.ts';

/**
 * Why an output entered a state: a row of `state_interval`, and the output's origin at that time as JSON. A separate
 * table, so that sums over years of intervals read no texts, and texts may be deleted before the intervals.
 */
export const stateOrigins: Migration = {
  version: 4,
  name: 'state-origins',
  sql: `
    CREATE TABLE state_origin (
      series_id INTEGER NOT NULL,
      start_ms INTEGER NOT NULL,
      origin TEXT NOT NULL,
      PRIMARY KEY (series_id, start_ms)
    ) STRICT, WITHOUT ROWID;
  `,
};
