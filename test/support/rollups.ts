import type { Database } from '../../server/db/open.ts';

const widths = { rollup_minute: 60_000, rollup_quarter: 900_000, rollup_day: 86_400_000 };

/**
 * Fills the rollups of a measurements.db from its samples, in plain SQL; like real rollups it leaves out minutes that
 * end after `until_ms`.
 */
export function fillRollups(db: Database, { until_ms = Number.MAX_SAFE_INTEGER } = {}): void {
  const wholeMs = Math.floor(until_ms / 60_000) * 60_000;
  for (const [table, width] of Object.entries(widths)) {
    db.prepare(
      `INSERT INTO ${table}
       SELECT DISTINCT series_id, start_ms, count(*) OVER bucket, sum(value) OVER bucket, min(value) OVER bucket,
         max(value) OVER bucket, first_value(time_ms) OVER bucket, first_value(value) OVER bucket,
         last_value(time_ms) OVER bucket, last_value(value) OVER bucket, NULL, NULL
       FROM (SELECT *, CAST(floor(time_ms / ${width}.0) AS INTEGER) * ${width} AS start_ms FROM sample
             WHERE value IS NOT NULL AND quality < 2 AND time_ms < ?)
       WINDOW bucket AS (PARTITION BY series_id, start_ms ORDER BY time_ms
         ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)`,
    ).run(wholeMs);
  }
}
