import type { Database } from 'better-sqlite3';
import { measurementsMigrations } from '../../db/migrations/measurements.ts';
import { openDatabase } from '../../db/open.ts';
import { rollupStart, rollupWidthMs } from '../../domain/series/rollup.ts';
import { RollupTable } from './rollup-table.ts';

export interface Rebuilt {
  series: number;
  days: number;
}

/**
 * Recomputes all rollups of a measurements.db, one UTC day of one series after the other, with no other writer. Minutes
 * whose samples retention has deleted stay as they are.
 */
export function rebuildRollups(file: string): Rebuilt {
  const db = openDatabase(file, { migrations: measurementsMigrations });
  try {
    const ids = db.prepare<[], number>('SELECT id FROM series ORDER BY id').pluck().all();
    const rebuild = dayRebuilder(db);
    let days = 0;
    for (const id of ids) for (const _ of rebuild(id)) days += 1;
    return { series: ids.length, days };
  } finally {
    db.close();
  }
}

/** Returns a generator that rebuilds a series, day by day. */
function dayRebuilder(db: Database): (seriesId: number) => Generator<number> {
  const table = new RollupTable(db);
  const next = db
    .prepare<[{ id: number; from_ms: number }], number | null>(
      `SELECT min(start) FROM (
         SELECT min(time_ms) AS start FROM sample WHERE series_id = @id AND time_ms >= @from_ms
         UNION ALL SELECT min(start_ms) FROM rollup_minute WHERE series_id = @id AND start_ms >= @from_ms
         UNION ALL SELECT min(start_ms) FROM rollup_quarter WHERE series_id = @id AND start_ms >= @from_ms
         UNION ALL SELECT min(start_ms) FROM rollup_day WHERE series_id = @id AND start_ms >= @from_ms)`,
    )
    .pluck();
  const rebuildDay = db.transaction((id: number, day: number) => table.rebuild(id, day, day + rollupWidthMs.day));
  return function* (id) {
    let fromMs = Number.MIN_SAFE_INTEGER;
    for (;;) {
      const timeMs = next.get({ id, from_ms: fromMs }) ?? null;
      if (timeMs === null) return;
      const day = rollupStart('day', timeMs);
      rebuildDay.immediate(id, day);
      yield day;
      fromMs = day + rollupWidthMs.day;
    }
  };
}
