import type { Migration } from '../../migration.ts';

export const outputMotors: Migration = {
  version: 18,
  name: 'output-motors',
  sql: `
    ALTER TABLE output_channels ADD COLUMN motor_close_channel INTEGER CHECK (motor_close_channel >= 0);
    ALTER TABLE output_channels ADD COLUMN motor_travel_s REAL CHECK (motor_travel_s > 0);
    ALTER TABLE output_channels ADD COLUMN motor_slack_s REAL NOT NULL DEFAULT 0 CHECK (motor_slack_s >= 0);
  `,
};
