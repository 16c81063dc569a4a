import type { Migration } from '../../migration.ts';

/**
 * All numbers of a district share most of their characters: the trigram index made a search read half a cadastre for
 * one.
 */
export const parcelNumbers: Migration = {
  version: 2,
  name: 'parcel-numbers',
  sql: `CREATE INDEX parcels_by_number ON parcels (parcel_id) WHERE parcel_id <> '';`,
};
