import type { Migration } from '../../migration.ts';

export const outputs: Migration = {
  version: 1,
  name: 'outputs',
  sql: `
    -- What must outlive the daemon of each channel. Values are 'on', 'off' or a number in percent; times are epoch ms.
    CREATE TABLE output_channels (
      output_id TEXT NOT NULL,
      channel INTEGER NOT NULL CHECK (channel >= 0),
      last_value ANY CHECK (last_value IN ('on', 'off') OR typeof(last_value) IN ('integer', 'real')),
      on_since_ms INTEGER,
      min_off_s REAL NOT NULL CHECK (min_off_s >= 0),
      min_off_until_ms INTEGER,
      override_value ANY CHECK (override_value IN ('on', 'off') OR typeof(override_value) IN ('integer', 'real')),
      override_actor TEXT,
      override_reason TEXT,
      override_until_ms INTEGER,
      override_ends_ms INTEGER,
      PRIMARY KEY (output_id, channel),
      CHECK ((override_value IS NULL) = (override_until_ms IS NULL))
    ) STRICT, WITHOUT ROWID;

    -- One row: whether the last daemon stopped in order.
    CREATE TABLE daemon_run (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      ended_orderly INTEGER NOT NULL CHECK (ended_orderly IN (0, 1))
    ) STRICT;
  `,
};
