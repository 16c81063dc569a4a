import type { Migration } from '../../migration.ts';

export const devices: Migration = {
  version: 3,
  name: 'devices',
  sql: `
    CREATE TABLE inputs (
      ordinal INTEGER PRIMARY KEY,
      unique_id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      driver TEXT NOT NULL,
      options TEXT NOT NULL CHECK (json_valid(options)),
      period_s REAL NOT NULL CHECK (period_s > 0),
      is_activated INTEGER NOT NULL CHECK (is_activated IN (0, 1))
    ) STRICT;

    CREATE TABLE input_channels (
      input_id TEXT NOT NULL REFERENCES inputs (unique_id) ON DELETE CASCADE,
      channel INTEGER NOT NULL CHECK (channel >= 0),
      name TEXT NOT NULL,
      measurement_id TEXT NOT NULL UNIQUE,
      measurement TEXT NOT NULL,
      unit TEXT NOT NULL,
      PRIMARY KEY (input_id, channel)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE outputs (
      ordinal INTEGER PRIMARY KEY,
      unique_id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      driver TEXT NOT NULL,
      options TEXT NOT NULL CHECK (json_valid(options)),
      is_activated INTEGER NOT NULL CHECK (is_activated IN (0, 1))
    ) STRICT;

    -- safe_state is 'on', 'off' or a value in percent
    CREATE TABLE output_channels (
      output_id TEXT NOT NULL REFERENCES outputs (unique_id) ON DELETE CASCADE,
      channel INTEGER NOT NULL CHECK (channel >= 0),
      name TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('switch', 'dimmer')),
      safe_state ANY NOT NULL CHECK (safe_state IN ('on', 'off') OR typeof(safe_state) IN ('integer', 'real')),
      startup_state TEXT NOT NULL CHECK (startup_state IN ('safe', 'last')),
      shutdown_state TEXT NOT NULL CHECK (shutdown_state IN ('safe', 'leave')),
      min_off_s REAL NOT NULL CHECK (min_off_s >= 0),
      max_on_s REAL CHECK (max_on_s >= 0),
      PRIMARY KEY (output_id, channel)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE lcds (
      ordinal INTEGER PRIMARY KEY,
      unique_id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      driver TEXT NOT NULL,
      options TEXT NOT NULL CHECK (json_valid(options)),
      is_activated INTEGER NOT NULL CHECK (is_activated IN (0, 1))
    ) STRICT;
  `,
};
