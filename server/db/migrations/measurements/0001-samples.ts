import type { Migration } from '../../migration.ts';

/**
 * A sample row is its key and a value: about 20 bytes, with no index beside the table itself. The unit belongs to the
 * series, so a channel whose unit changes starts another series and no old value is read in the new unit. `quality`: 0
 * good, 1 suspect, 2 bad.
 */
export const samples: Migration = {
  version: 1,
  name: 'samples',
  sql: `
    CREATE TABLE series (
      id INTEGER PRIMARY KEY,
      device_id TEXT NOT NULL,
      measurement_id TEXT NOT NULL,
      channel INTEGER NOT NULL,
      unit TEXT NOT NULL,
      UNIQUE (device_id, measurement_id, channel, unit)
    ) STRICT;

    CREATE TABLE sample (
      series_id INTEGER NOT NULL,
      time_ms INTEGER NOT NULL,
      value REAL,
      quality INTEGER NOT NULL,
      PRIMARY KEY (series_id, time_ms)
    ) STRICT, WITHOUT ROWID;
  `,
};
