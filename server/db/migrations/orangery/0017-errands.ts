import type { Migration } from '../../migration.ts';

export const errands: Migration = {
  version: 17,
  name: 'errands',
  sql: `
    -- Messages of controllers that wait to be sent, with what they are, in the form of the contract.
    CREATE TABLE errands (
      ordinal INTEGER PRIMARY KEY,
      target_id TEXT NOT NULL REFERENCES notification_targets (unique_id) ON DELETE CASCADE,
      at TEXT NOT NULL,
      ends_at TEXT NOT NULL,
      errand TEXT NOT NULL CHECK (json_valid(errand))
    ) STRICT;
    CREATE INDEX errands_by_target ON errands (target_id, ordinal);
  `,
};
