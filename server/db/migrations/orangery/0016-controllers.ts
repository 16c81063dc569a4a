import type { Migration } from '../../migration.ts';

export const controllers: Migration = {
  version: 16,
  name: 'controllers',
  sql: `
    -- Whatever controls by devices: one table for all kinds, whose own fields are JSON that the contract checks.
    CREATE TABLE controllers (
      ordinal INTEGER PRIMARY KEY,
      unique_id TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL, -- the word of the contract's list
      name TEXT NOT NULL,
      is_activated INTEGER NOT NULL CHECK (is_activated IN (0, 1)),
      settings TEXT NOT NULL CHECK (json_valid(settings))
    ) STRICT;
    CREATE INDEX controllers_by_kind ON controllers (kind);
  `,
};
