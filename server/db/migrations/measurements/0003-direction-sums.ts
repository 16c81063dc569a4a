import type { Migration } from '../../migration.ts';

/**
 * Sums of sine and cosine in rollups of directions, null in all others: the mean of 350 and 10 degrees is 0, not 180.
 * Older rows are filled in after the batches, as that takes longer than a start may.
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
