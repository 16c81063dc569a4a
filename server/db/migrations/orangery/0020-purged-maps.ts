import type { Migration } from '../../migration.ts';

/** A map that can no longer be restored: its parts are deleted in many short transactions, its row last. */
export const purgedMaps: Migration = {
  version: 20,
  name: 'purged-maps',
  sql: 'ALTER TABLE designs ADD COLUMN is_purged INTEGER NOT NULL DEFAULT 0 CHECK (is_purged IN (0, 1))',
};
