import type { Migration } from '../../migration.ts';

export const emergencyStop: Migration = {
  version: 4,
  name: 'emergency-stop',
  sql: `
    -- One row while the emergency stop holds, none else.
    CREATE TABLE emergency_stop (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      since_ms INTEGER NOT NULL,
      actor TEXT NOT NULL,
      reason TEXT
    ) STRICT;
  `,
};
