import type { Migration } from '../../migration.ts';

/**
 * The trigram index has no texts of one or two characters: these are found in this one, a fifth of the table's size.
 */
export const foldedTexts: Migration = {
  version: 4,
  name: 'folded-texts',
  sql: `CREATE INDEX parcels_by_text ON parcels (folded);`,
};
