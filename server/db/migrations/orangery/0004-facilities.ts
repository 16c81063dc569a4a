import type { Migration } from '../../migration.ts';

/** Neither the shape nor the bound devices are foreign keys: a facility in the trash may outlive both. */
export const facilities: Migration = {
  version: 4,
  name: 'facilities',
  sql: `
    CREATE TABLE facilities (
      ordinal INTEGER PRIMARY KEY,
      unique_id TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      shape_uuid TEXT NOT NULL,
      geo_id TEXT NOT NULL,
      preset TEXT NOT NULL,
      structure TEXT NOT NULL,
      bay_count INTEGER NOT NULL CHECK (bay_count > 0),
      envelope TEXT NOT NULL CHECK (json_valid(envelope)),
      sensors TEXT NOT NULL CHECK (json_valid(sensors)),
      actuators TEXT NOT NULL CHECK (json_valid(actuators)),
      openings TEXT NOT NULL CHECK (json_valid(openings)),
      curtains TEXT NOT NULL CHECK (json_valid(curtains)),
      fans TEXT NOT NULL CHECK (json_valid(fans)),
      view_3d TEXT NOT NULL CHECK (json_valid(view_3d)),
      design_conditions TEXT CHECK (design_conditions IS NULL OR json_valid(design_conditions)),
      notes TEXT NOT NULL,
      revision INTEGER NOT NULL CHECK (revision > 0),
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      deleted_at TEXT -- in the trash since
    ) STRICT;
    CREATE UNIQUE INDEX facilities_one_living_a_shape ON facilities (shape_uuid) WHERE deleted_at IS NULL;
    CREATE INDEX facilities_by_map ON facilities (geo_id);
  `,
};
