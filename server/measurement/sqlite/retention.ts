import type { Database, Statement } from 'better-sqlite3';
import { rollupLevels, rollupStart, rollupWidthMs } from '../../domain/series/rollup.ts';
import { defaultRetention, type ChannelRetention } from '../store.ts';
import type { SeriesKey } from './batch.ts';
import type { Chore } from './chores.ts';

/** Time limit of a slice, ms: half of what a writer would notice. It determines the number of rows. */
const sliceMs = 5;
const fewestRows = 100;
const mostRows = 20_000;

const tables = ['sample', ...rollupLevels.map((level) => `rollup_${level}`), 'state_interval', 'state_origin'];
/** Tables with the retention of samples: single readings, and the reasons why an output was switched. */
const shortLived = new Set(['sample', 'state_origin']);

export interface RetentionRequest {
  exceptions: readonly ChannelRetention[];
  now_ms: number;
}

/**
 * Deletes what is past its retention, oldest first, in slices of a few ms; whole UTC days, so that no bucket is cut.
 */
export function* deleteOld(db: Database, { exceptions, now_ms }: RetentionRequest): Chore {
  const before = (days: number): number => rollupStart('day', now_ms - days * rollupWidthMs.day);
  const kept = new Map(exceptions.map((row) => [keyOf(row), row]));
  const slices = tables.map((table) => new Slices(db, table));
  const series = db.prepare<[], SeriesKey & { id: number }>('SELECT * FROM series').all();
  let from = performance.now();
  for (const one of series) {
    const { raw_days, rollup_days } = kept.get(keyOf(one)) ?? defaultRetention;
    for (const slice of slices) {
      const beforeMs = before(shortLived.has(slice.table) ? raw_days : rollup_days);
      while (slice.deleteNext(one.id, beforeMs)) yield;
    }
    if (performance.now() - from < sliceMs) continue;
    yield; // looking costs time as well where there are thousands of series
    from = performance.now();
  }
}

/** Deletes from one table, as many rows at once as take the time of a slice. */
class Slices {
  readonly table: string;
  readonly #keyAt: Statement<[number, number, number], number>;
  readonly #remove: Statement<[{ series_id: number; cut_ms: number; before_ms: number }]>;
  #rows = fewestRows;

  constructor(db: Database, table: string) {
    this.table = table;
    const key = table === 'sample' ? 'time_ms' : 'start_ms';
    const isOver = table === 'state_interval' ? 'AND end_ms < @before_ms' : 'AND @before_ms IS NOT NULL'; // what reaches further stays
    this.#keyAt = db
      .prepare<[number, number, number], number>(
        `SELECT ${key} FROM ${table} WHERE series_id = ? AND ${key} < ? ORDER BY ${key} LIMIT 1 OFFSET ?`,
      )
      .pluck();
    this.#remove = db.prepare(`DELETE FROM ${table} WHERE series_id = @series_id AND ${key} < @cut_ms ${isOver}`);
  }

  /** False when nothing was left to delete. */
  deleteNext(series_id: number, beforeMs: number): boolean {
    const from = performance.now();
    const first = this.#keyAt.get(series_id, beforeMs, 0);
    if (first === undefined) return false;
    const next = this.#keyAt.get(series_id, beforeMs, this.#rows);
    const cutMs = next === undefined ? beforeMs : wholeMinutes(first, next);
    const { changes } = this.#remove.run({ series_id, cut_ms: cutMs, before_ms: beforeMs });
    this.#rows = rowsFor(this.#rows, performance.now() - from);
    return changes > 0;
  }
}

/** A moment near `next` at which no minute is cut: a minute keeps all of its samples, or none. */
function wholeMinutes(first: number, next: number): number {
  return Math.max(rollupStart('minute', next), rollupStart('minute', first) + rollupWidthMs.minute);
}

function rowsFor(rows: number, tookMs: number): number {
  const wanted = Math.round(rows * Math.min(2, sliceMs / Math.max(tookMs, 0.1)));
  return Math.min(Math.max(wanted, fewestRows), mostRows);
}

function keyOf({ device_id, measurement_id, channel }: Omit<SeriesKey, 'unit'>): string {
  return `${device_id} ${measurement_id} ${channel}`;
}
