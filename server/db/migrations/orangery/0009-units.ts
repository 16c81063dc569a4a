import type { Migration } from '../../migration.ts';

/** stored = factor * value in this unit + offset */
export const units: Migration = {
  version: 9,
  name: 'units',
  sql: `
    CREATE TABLE units (
      ordinal INTEGER PRIMARY KEY,
      unique_id TEXT NOT NULL UNIQUE,
      measurement TEXT NOT NULL,
      unit TEXT NOT NULL,
      factor REAL NOT NULL CHECK (factor <> 0),
      "offset" REAL NOT NULL,
      UNIQUE (measurement, unit)
    ) STRICT;
  `,
};
