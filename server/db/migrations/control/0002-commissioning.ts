import type { Migration } from '../../migration.ts';

export const commissioning: Migration = {
  version: 2,
  name: 'commissioning',
  sql: `
    -- One row a commissioning check; check_json is the check as the interface gives it.
    CREATE TABLE commissioning_checks (
      check_id TEXT PRIMARY KEY,
      facility_uuid TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('running', 'awaiting_verdict', 'completed', 'aborted', 'error')),
      started_at_ms INTEGER NOT NULL,
      check_json TEXT NOT NULL CHECK (json_valid(check_json)),
      -- What is driven at the moment, with the state to bring it back to.
      under_test_json TEXT NOT NULL CHECK (json_valid(under_test_json))
    ) STRICT, WITHOUT ROWID;

    CREATE INDEX commissioning_checks_by_facility ON commissioning_checks (facility_uuid, started_at_ms DESC);
  `,
};
