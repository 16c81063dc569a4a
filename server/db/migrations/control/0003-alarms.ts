import type { Migration } from '../../migration.ts';

export const alarms: Migration = {
  version: 3,
  name: 'alarms',
  sql: `
    -- What a daemon that starts takes over: the alarms that are not normal, whole, in the form of the contract.
    CREATE TABLE alarms (
      alarm_id TEXT PRIMARY KEY,
      alarm TEXT NOT NULL CHECK (json_valid(alarm))
    ) STRICT, WITHOUT ROWID;

    -- Every transition of an alarm.
    CREATE TABLE alarm_journal (
      ordinal INTEGER PRIMARY KEY,
      at TEXT NOT NULL,
      alarm_id TEXT NOT NULL,
      transition TEXT NOT NULL,
      state_before TEXT NOT NULL,
      state TEXT NOT NULL,
      actor TEXT,
      note TEXT,
      code TEXT NOT NULL,
      severity TEXT NOT NULL,
      source_kind TEXT NOT NULL,
      source_id TEXT NOT NULL,
      source_name TEXT,
      channel INTEGER,
      role TEXT,
      name TEXT,
      value REAL,
      "limit" REAL,
      unit TEXT,
      message TEXT
    ) STRICT;
    CREATE INDEX alarm_journal_by_alarm ON alarm_journal (alarm_id, ordinal);
    CREATE INDEX alarm_journal_by_time ON alarm_journal (at);
  `,
};
