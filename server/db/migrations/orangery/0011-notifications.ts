import type { Migration } from '../../migration.ts';

export const notifications: Migration = {
  version: 11,
  name: 'notifications',
  sql: `
    -- Where alarms are sent to; target is its settings in the form of the contract, without the secret, which is sealed.
    CREATE TABLE notification_targets (
      unique_id TEXT PRIMARY KEY,
      target TEXT NOT NULL CHECK (json_valid(target)),
      sealed_secret TEXT,
      last_result TEXT CHECK (json_valid(last_result))
    ) STRICT, WITHOUT ROWID;

    -- What waits to be sent, with the line of the alarm journal that it is about.
    CREATE TABLE notification_outbox (
      ordinal INTEGER PRIMARY KEY,
      target_id TEXT NOT NULL REFERENCES notification_targets (unique_id) ON DELETE CASCADE,
      reason TEXT NOT NULL CHECK (reason IN ('came', 'over', 'still')),
      at TEXT NOT NULL,
      severity TEXT NOT NULL,
      facts TEXT NOT NULL CHECK (json_valid(facts))
    ) STRICT;
    CREATE INDEX notification_outbox_by_target ON notification_outbox (target_id, ordinal);

    -- One row: the last line of the alarm journal that was looked at.
    CREATE TABLE notification_progress (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      ordinal INTEGER NOT NULL
    ) STRICT;
  `,
};
