import type { Migration } from '../../migration.ts';

/**
 * Sums of sine and cosine of rollups of directions, null of all others: 350 and 10 degrees come to 0, not to 180. Rows from
 * before are filled in behind the batches, for that takes longer than a start may.
 */
export const directionSums: Migration = {
  version: 3,
  name: 'direction-sums',
  sql: ['rollup_minute', 'rollup_quarter', 'rollup_day']
    .map(
      (table) => `
    ALTER TABLE ${table} ADD COLUMN sin_sum REAL;
    ALTER TABLE ${table} ADD COLUMN cos_sum REAL;`,
    )
    .join('\n'),
};
