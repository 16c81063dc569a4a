import type { Migration } from '../../migration.ts';

export const heardEvents: Migration = {
  version: 15,
  name: 'heard-events',
  sql: `
    CREATE TABLE heard_events ( -- one row: up to where the daemon's events were looked through for the audit
      id INTEGER PRIMARY KEY CHECK (id = 1),
      event_id TEXT NOT NULL, -- BOOT:N, the last of them
      heard_at TEXT NOT NULL, -- nothing was missed until then
      is_closed INTEGER NOT NULL CHECK (is_closed IN (0, 1)) -- the service stopped in order, and its daemon with it
    ) STRICT;
  `,
};
