import type { Migration } from '../../migration.ts';

export const askedActivations: Migration = {
  version: 5,
  name: 'asked-activations',
  sql: `
    -- What programs had run or stop, until the settings say the same.
    CREATE TABLE asked_activations (
      controller_id TEXT PRIMARY KEY,
      is_active INTEGER NOT NULL CHECK (is_active IN (0, 1))
    ) STRICT, WITHOUT ROWID;
  `,
};
