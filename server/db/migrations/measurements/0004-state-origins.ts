import type { Migration } from '../../migration.ts';

/**
 * Why an output went into a state: a row of `state_interval`, and the origin that the output had then as JSON. A table of its own, so
 * that sums over years of intervals read no texts, and texts may go before the intervals do.
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
