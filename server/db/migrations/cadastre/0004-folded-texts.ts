import type { Migration } from '../../migration.ts';

/** Texts of one or two signs are in no index of three: they are looked for in this one, which is a fifth of the table. */
export const foldedTexts: Migration = {
  version: 4,
  name: 'folded-texts',
  sql: `CREATE INDEX parcels_by_text ON parcels (folded);`,
};
