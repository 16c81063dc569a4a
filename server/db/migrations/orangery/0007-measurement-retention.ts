import type { Migration } from '../../migration.ts';

/** Rows for channels that differ from the default; the daemon reads them and deletes what is older. */
export const measurementRetention: Migration = {
  version: 7,
  name: 'measurement-retention',
  sql: `
    CREATE TABLE measurement_retention (
      device_id TEXT NOT NULL,
      measurement_id TEXT NOT NULL,
      channel INTEGER NOT NULL CHECK (channel >= 0),
      raw_days INTEGER NOT NULL CHECK (raw_days > 0),
      rollup_days INTEGER NOT NULL CHECK (rollup_days >= raw_days),
      PRIMARY KEY (device_id, measurement_id, channel)
    ) STRICT, WITHOUT ROWID;
  `,
};
