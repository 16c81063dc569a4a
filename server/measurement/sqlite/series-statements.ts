import type { Database, Statement } from 'better-sqlite3';
import type { VectorSum } from '../../domain/series/direction.ts';
import { resolutions, type Resolution, type Span } from '../../domain/series/resolution.ts';
import type { RollupLevel } from '../../domain/series/rollup.ts';
import { qualityCode } from './batch.ts';

export interface SeriesRow {
  id: number;
  channel: number;
  unit: string;
}

/** Totals of the samples of a span; null when there are none. */
export interface Totals {
  count: number;
  sum: number | null;
  min: number | null;
  max: number | null;
}

export interface IntervalRow {
  start_ms: number;
  end_ms: number | null;
  seen_ms: number;
  state: number | null;
}

export interface SwitchRow extends Pick<IntervalRow, 'start_ms' | 'state'> {
  /** JSON. */
  origin: string | null;
}

/** Rows read before the reader checks whether the result is still wanted. */
export const chunkRows = 5_000;

const tables = { raw: 'sample', minute: 'rollup_minute', quarter: 'rollup_quarter', day: 'rollup_day' } as const;
/** The column that orders the rows of a table. */
const keys = { raw: 'time_ms', minute: 'start_ms', quarter: 'start_ms', day: 'start_ms' } as const;

/** Usable values: a bad or missing one counts as silence of the sensor. */
const usable = `value IS NOT NULL AND quality < ${qualityCode.bad}`;

/**
 * Intervals of a series do not overlap: none before the one under way at the start is read, however long the history
 * is.
 */
const touching = `series_id = @id AND start_ms < @to_ms AND (end_ms IS NULL OR end_ms > @from_ms) AND start_ms >= coalesce(
  (SELECT max(start_ms) FROM state_interval WHERE series_id = @id AND start_ms <= @from_ms), @from_ms)`;

type Order = 'ASC' | 'DESC';
export type Range = [series_id: number, from_ms: number, to_ms: number];
export type StretchRow = [first_ms: number, first: number, last_ms: number, last: number, min: number, max: number];
export type MeanRow = [start_ms: number, mean: number];
export type SampleRow = [time_ms: number, value: number];
export type DirectionRow = [first_ms: number, last_ms: number, count: number, sin_sum: number, cos_sum: number];

/** For a row from before vector sums, its plain mean until it is recomputed. */
const vectorColumns = {
  sin: 'coalesce(sin_sum, count * sin(radians(sum / count)))',
  cos: 'coalesce(cos_sum, count * cos(radians(sum / count)))',
} as const;

/** Statements for the series themselves and their ends. */
export function seriesStatements(db: Database) {
  return {
    named: db.prepare<[string, string], SeriesRow>(
      'SELECT id, channel, unit FROM series WHERE device_id = ? AND measurement_id = ? ORDER BY id DESC',
    ),
    state: db
      .prepare<[string, string, number], number>(
        'SELECT id FROM series WHERE device_id = ? AND measurement_id = ? AND channel = ? ORDER BY id DESC LIMIT 1',
      )
      .pluck(),
    newest: db.prepare<[number], { time_ms: number; value: number | null; quality: number }>(
      'SELECT time_ms, value, quality FROM sample WHERE series_id = ? ORDER BY time_ms DESC LIMIT 1',
    ),
    rolledUp: db
      .prepare<[number], number>('SELECT last_ms FROM rollup_minute WHERE series_id = ? ORDER BY start_ms DESC LIMIT 1')
      .pluck(),
    oldest: each((name) =>
      db.prepare<[number], number | null>(`SELECT min(${keys[name]}) FROM ${tables[name]} WHERE series_id = ?`).pluck(),
    ),
  };
}

/** Statements for the rows of a span in order of time, a chunk each. */
export function rowStatements(db: Database) {
  const rows = <Row extends number[]>(name: Resolution, columns: string): Statement<Range, Row> =>
    db.prepare<Range, Row>(`SELECT ${columns} ${rangeOf(name)} LIMIT ${chunkRows}`).raw();
  const { sin, cos } = vectorColumns;
  return {
    samples: rows<SampleRow>('raw', 'time_ms, value'),
    begin: db.prepare<[...Range, limit: number], SampleRow>(`SELECT time_ms, value ${rangeOf('raw')} LIMIT ?`).raw(),
    stretches: eachRollup((name) => rows<StretchRow>(name, 'first_ms, first, last_ms, last, min, max')),
    directions: eachRollup((name) => rows<DirectionRow>(name, `first_ms, last_ms, count, ${sin}, ${cos}`)),
    means: eachRollup((name) => rows<MeanRow>(name, 'start_ms, sum / count')),
    tailMeans: db
      .prepare<[Span & { id: number }], MeanRow>(
        `SELECT time_ms - time_ms % 60000 AS start_ms, avg(value) FROM sample
         WHERE series_id = @id AND time_ms >= @from_ms AND time_ms < @to_ms AND ${usable} GROUP BY start_ms ORDER BY start_ms`,
      )
      .raw(),
  };
}

/** Statements for a figure of a whole span, and for the rows beside it. */
export function spanStatements(db: Database) {
  const one = (name: Resolution, column: string, order: Order): Statement<Range, number> =>
    db.prepare<Range, number>(`SELECT ${column} ${rangeOf(name, order)} LIMIT 1`).pluck();
  const neighbour = (name: RollupLevel, is: '<' | '>=', order: Order): Statement<[number, number], number> =>
    db
      .prepare<[number, number], number>(
        `SELECT start_ms FROM ${tables[name]} WHERE series_id = ? AND start_ms ${is} ? ORDER BY start_ms ${order} LIMIT 1`,
      )
      .pluck();
  return {
    totals: each((name) => db.prepare<Range, Totals>(`SELECT ${totalColumns(name)} ${rangeOf(name)}`)),
    vectors: each((name) => {
      const { sin, cos } = name === 'raw' ? { sin: 'sin(radians(value))', cos: 'cos(radians(value))' } : vectorColumns;
      return db.prepare<Range, VectorSum>(`SELECT total(${sin}) AS sin_sum, total(${cos}) AS cos_sum ${rangeOf(name)}`);
    }),
    first: each((name) => one(name, name === 'raw' ? 'value' : 'first', 'ASC')),
    last: each((name) => one(name, name === 'raw' ? 'value' : 'last', 'DESC')),
    before: eachRollup((name) => neighbour(name, '<', 'DESC')),
    after: eachRollup((name) => neighbour(name, '>=', 'ASC')),
  };
}

/** Statements for the states of outputs, newest first. */
export function stateStatements(db: Database) {
  return {
    intervals: db.prepare<[Span & { id: number; limit: number }], IntervalRow>(
      `SELECT start_ms, end_ms, seen_ms, state FROM state_interval
       WHERE ${touching}
       ORDER BY start_ms DESC LIMIT @limit`,
    ),
    switches: db.prepare<[Span & { id: number; limit: number }], SwitchRow>(
      `SELECT start_ms, state, origin FROM state_interval LEFT JOIN state_origin USING (series_id, start_ms)
       WHERE ${touching}
       ORDER BY start_ms DESC LIMIT @limit`,
    ),
  };
}

function each<Made>(make: (name: Resolution) => Made): Record<Resolution, Made> {
  return Object.fromEntries(resolutions.map((name) => [name, make(name)])) as Record<Resolution, Made>; // each name is there
}

function eachRollup<Made>(make: (name: RollupLevel) => Made): Record<RollupLevel, Made> {
  return { minute: make('minute'), quarter: make('quarter'), day: make('day') };
}

function totalColumns(name: Resolution): string {
  return name === 'raw'
    ? 'count(*) AS count, sum(value) AS sum, min(value) AS min, max(value) AS max'
    : 'coalesce(sum(count), 0) AS count, sum(sum) AS sum, min(min) AS min, max(max) AS max';
}

function rangeOf(name: Resolution, order: Order = 'ASC'): string {
  const key = keys[name];
  const only = name === 'raw' ? `AND ${usable}` : '';
  return `FROM ${tables[name]} WHERE series_id = ? AND ${key} >= ? AND ${key} < ? ${only} ORDER BY ${key} ${order}`;
}
