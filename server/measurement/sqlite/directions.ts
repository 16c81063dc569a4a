import type { Database } from 'better-sqlite3';
import { isDirection } from '../../domain/series/direction.ts';
import { rollupWidthMs } from '../../domain/series/rollup.ts';
import type { Chore } from './chores.ts';
import type { SampleStore } from './sample-store.ts';

/** Minutes that are recomputed at once: at a sample a second that takes some 5 ms. */
const minutesAtOnce = 15;

/**
 * Adds the vector sums that old rollups of directions lack, day by day and a few minutes at a time. A finished day has
 * its own sum, so after a restart it continues where it was.
 */
export function* turnDirections(db: Database, samples: SampleStore): Chore {
  const series = db.prepare<[], { id: number; unit: string }>('SELECT id, unit FROM series ORDER BY id').all();
  const oldDay = db
    .prepare<[number, number], number>(
      `SELECT start_ms FROM rollup_day WHERE series_id = ? AND start_ms >= ? AND sin_sum IS NULL
       ORDER BY start_ms LIMIT 1`,
    )
    .pluck();
  const minutesOf = db
    .prepare<[number, number, number], number>(
      'SELECT start_ms FROM rollup_minute WHERE series_id = ? AND start_ms >= ? AND start_ms < ? ORDER BY start_ms',
    )
    .pluck();
  for (const { id } of series.filter(({ unit }) => isDirection(unit))) {
    let fromMs = Number.MIN_SAFE_INTEGER;
    for (let day = oldDay.get(id, fromMs); day !== undefined; day = oldDay.get(id, fromMs)) {
      const minutes = minutesOf.all(id, day, day + rollupWidthMs.day);
      for (let at = 0; at < minutes.length; at += minutesAtOnce) {
        const some = minutes.slice(at, at + minutesAtOnce);
        samples.transaction(() => samples.turn(id, some));
        yield;
      }
      fromMs = day + rollupWidthMs.day;
    }
  }
}
