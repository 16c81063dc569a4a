import type { Migration } from '../../migration.ts';

export const controllerStates: Migration = {
  version: 7,
  name: 'controller-states',
  sql: `
    -- What a controller must know of before: its kind alone reads it.
    CREATE TABLE controller_states (
      controller_id TEXT PRIMARY KEY,
      state TEXT NOT NULL CHECK (json_valid(state))
    ) STRICT, WITHOUT ROWID;
  `,
};
