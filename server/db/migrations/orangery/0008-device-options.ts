import type { Migration } from '../../migration.ts';

export const deviceOptions: Migration = {
  version: 8,
  name: 'device-options',
  sql: `
    ALTER TABLE output_channels ADD COLUMN current_a REAL CHECK (current_a > 0);
    ALTER TABLE output_channels ADD COLUMN flow_ml_s REAL CHECK (flow_ml_s > 0);

    ALTER TABLE inputs ADD COLUMN start_offset_s REAL NOT NULL DEFAULT 0 CHECK (start_offset_s >= 0);
    ALTER TABLE inputs ADD COLUMN pre_output TEXT CHECK (json_valid(pre_output));
    ALTER TABLE inputs ADD COLUMN power_output TEXT CHECK (json_valid(power_output));

    ALTER TABLE input_channels ADD COLUMN is_enabled INTEGER NOT NULL DEFAULT 1 CHECK (is_enabled IN (0, 1));
    ALTER TABLE input_channels ADD COLUMN scale TEXT CHECK (json_valid(scale));
    ALTER TABLE input_channels ADD COLUMN raw_unit TEXT;
    ALTER TABLE input_channels ADD COLUMN plausible_min REAL;
    ALTER TABLE input_channels ADD COLUMN plausible_max REAL;
    ALTER TABLE input_channels ADD COLUMN max_rate_per_min REAL CHECK (max_rate_per_min > 0);
  `,
};
