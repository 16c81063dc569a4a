import type { Migration } from '../../migration.ts';

export const outputCycles: Migration = {
  version: 12,
  name: 'output-cycles',
  sql: `
    ALTER TABLE output_channels ADD COLUMN pwm_cycle_s REAL CHECK (pwm_cycle_s > 0);
    ALTER TABLE output_channels ADD COLUMN pwm_min_on_s REAL NOT NULL DEFAULT 1 CHECK (pwm_min_on_s > 0);
  `,
};
