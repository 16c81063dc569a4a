import type { Database, Statement } from 'better-sqlite3';
import { outputStateMeasurementId, sampleQuality, type LastValue } from '../../contract/measurement.ts';
import { vectorOf, type VectorSum } from '../../domain/series/direction.ts';
import type { DirectionStretch } from '../../domain/series/mean-directions.ts';
import type { Stretch } from '../../domain/series/m4.ts';
import { resolutions, type Resolution, type Span } from '../../domain/series/resolution.ts';
import type { RollupLevel } from '../../domain/series/rollup.ts';
import type { SeriesName } from '../reader.ts';
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

interface SwitchRow extends Pick<IntervalRow, 'start_ms' | 'state'> {
  /** JSON. */
  origin: string | null;
}

interface Ends {
  first: number | null;
  last: number | null;
}

/** Rows read before the reader checks whether the result is still wanted. */
const chunkRows = 5_000;

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

type Range = [series_id: number, from_ms: number, to_ms: number];
type StretchRow = [first_ms: number, first: number, last_ms: number, last: number, min: number, max: number];
type SampleRow = [time_ms: number, value: number];
type DirectionRow = [first_ms: number, last_ms: number, count: number, sin_sum: number, cos_sum: number];

/** For a row from before vector sums, its plain mean until it is recomputed. */
const vectorColumns = {
  sin: 'coalesce(sin_sum, count * sin(radians(sum / count)))',
  cos: 'coalesce(cos_sum, count * cos(radians(sum / count)))',
} as const;

/** Reads the series of a measurements.db. */
export class SeriesRows {
  readonly #named: Statement<[string, string], SeriesRow>;
  readonly #newest: Statement<[number], { time_ms: number; value: number | null; quality: number }>;
  readonly #oldest: Record<Resolution, Statement<[number], number | null>>;
  readonly #stretches: Record<RollupLevel, Statement<Range, StretchRow>>;
  readonly #totals: Record<Resolution, Statement<Range, Totals>>;
  readonly #directions: Record<RollupLevel, Statement<Range, DirectionRow>>;
  readonly #vectors: Record<Resolution, Statement<Range, VectorSum>>;
  readonly #first: Record<Resolution, Statement<Range, number>>;
  readonly #last: Record<Resolution, Statement<Range, number>>;
  readonly #samples: Statement<Range, SampleRow>;
  readonly #means: Record<'minute' | 'quarter', Statement<Range, [number, number]>>;
  readonly #tailMeans: Statement<[Span & { id: number }], [number, number]>;
  readonly #before: Record<'minute' | 'quarter', Statement<[number, number], number>>;
  readonly #after: Record<'minute' | 'quarter', Statement<[number, number], number>>;
  readonly #state: Statement<[string, string, number], number>;
  readonly #intervals: Statement<[Span & { id: number; limit: number }], IntervalRow>;
  readonly #switches: Statement<[Span & { id: number; limit: number }], SwitchRow>;
  readonly #rolledUp: Statement<[number], number>;
  readonly #snapshot: (read: () => unknown) => unknown;

  constructor(db: Database) {
    this.#snapshot = db.transaction((read: () => unknown) => read());
    const means = (name: 'minute' | 'quarter') =>
      db.prepare<Range, [number, number]>(`SELECT start_ms, sum / count ${rangeOf(name)} LIMIT ${chunkRows}`).raw();
    this.#means = { minute: means('minute'), quarter: means('quarter') };
    this.#tailMeans = db
      .prepare<[Span & { id: number }], [number, number]>(
        `SELECT time_ms - time_ms % 60000 AS start_ms, avg(value) FROM sample
         WHERE series_id = @id AND time_ms >= @from_ms AND time_ms < @to_ms AND ${usable} GROUP BY start_ms ORDER BY start_ms`,
      )
      .raw();
    const neighbour = (name: 'minute' | 'quarter', is: '<' | '>=', order: 'ASC' | 'DESC') =>
      db
        .prepare<[number, number], number>(
          `SELECT start_ms FROM ${tables[name]} WHERE series_id = ? AND start_ms ${is} ? ORDER BY start_ms ${order} LIMIT 1`,
        )
        .pluck();
    this.#before = { minute: neighbour('minute', '<', 'DESC'), quarter: neighbour('quarter', '<', 'DESC') };
    this.#after = { minute: neighbour('minute', '>=', 'ASC'), quarter: neighbour('quarter', '>=', 'ASC') };
    this.#state = db
      .prepare<[string, string, number], number>(
        'SELECT id FROM series WHERE device_id = ? AND measurement_id = ? AND channel = ? ORDER BY id DESC LIMIT 1',
      )
      .pluck();
    this.#intervals = db.prepare(
      `SELECT start_ms, end_ms, seen_ms, state FROM state_interval
       WHERE ${touching}
       ORDER BY start_ms DESC LIMIT @limit`,
    );
    this.#switches = db.prepare(
      `SELECT start_ms, state, origin FROM state_interval LEFT JOIN state_origin USING (series_id, start_ms)
       WHERE ${touching}
       ORDER BY start_ms DESC LIMIT @limit`,
    );
    this.#rolledUp = db
      .prepare<[number], number>('SELECT last_ms FROM rollup_minute WHERE series_id = ? ORDER BY start_ms DESC LIMIT 1')
      .pluck();
    this.#named = db.prepare(
      'SELECT id, channel, unit FROM series WHERE device_id = ? AND measurement_id = ? ORDER BY id DESC',
    );
    this.#newest = db.prepare(
      'SELECT time_ms, value, quality FROM sample WHERE series_id = ? ORDER BY time_ms DESC LIMIT 1',
    );
    const each = <Made>(make: (resolution: Resolution) => Made) =>
      Object.fromEntries(resolutions.map((name) => [name, make(name)])) as Record<Resolution, Made>; // each name is there
    this.#oldest = each((name) =>
      db.prepare<[number], number | null>(`SELECT min(${keys[name]}) FROM ${tables[name]} WHERE series_id = ?`).pluck(),
    );
    const stretches = (name: RollupLevel) =>
      db
        .prepare<Range, StretchRow>(
          `SELECT first_ms, first, last_ms, last, min, max ${rangeOf(name)} LIMIT ${chunkRows}`,
        )
        .raw();
    this.#stretches = { minute: stretches('minute'), quarter: stretches('quarter'), day: stretches('day') };
    this.#totals = each((name) =>
      db.prepare<Range, Totals>(
        name === 'raw'
          ? `SELECT count(*) AS count, sum(value) AS sum, min(value) AS min, max(value) AS max ${rangeOf(name)}`
          : `SELECT coalesce(sum(count), 0) AS count, sum(sum) AS sum, min(min) AS min, max(max) AS max ${rangeOf(name)}`,
      ),
    );
    const directions = (name: RollupLevel) =>
      db
        .prepare<Range, DirectionRow>(
          `SELECT first_ms, last_ms, count, ${vectorColumns.sin}, ${vectorColumns.cos} ${rangeOf(name)} LIMIT ${chunkRows}`,
        )
        .raw();
    this.#directions = { minute: directions('minute'), quarter: directions('quarter'), day: directions('day') };
    this.#vectors = each((name) => {
      const { sin, cos } = name === 'raw' ? { sin: 'sin(radians(value))', cos: 'cos(radians(value))' } : vectorColumns;
      return db.prepare<Range, VectorSum>(`SELECT total(${sin}) AS sin_sum, total(${cos}) AS cos_sum ${rangeOf(name)}`);
    });
    const end = (column: 'first' | 'last') =>
      each((name) =>
        db
          .prepare<Range, number>(
            `SELECT ${name === 'raw' ? 'value' : column} ${rangeOf(name, column === 'last' ? 'DESC' : 'ASC')} LIMIT 1`,
          )
          .pluck(),
      );
    this.#first = end('first');
    this.#last = end('last');
    this.#samples = db.prepare<Range, SampleRow>(`SELECT time_ms, value ${rangeOf('raw')} LIMIT ${chunkRows}`).raw();
  }

  /** Reads inside see the file as it is now, whatever the writer does meanwhile. */
  snapshot<Result>(read: () => Result): Result {
    return this.#snapshot(read) as Result; // a transaction gives what its function gives
  }

  /** The series of the newest unit. */
  find({ device_id, measurement_id }: SeriesName): SeriesRow | undefined {
    const rows = this.#named.all(device_id, measurement_id);
    if (rows.length < 2) return rows[0];
    const newestMs = ({ id }: SeriesRow): number => this.#newest.get(id)?.time_ms ?? -Infinity;
    return rows.reduce((best, row) => (newestMs(row) > newestMs(best) ? row : best));
  }

  last(series: SeriesName): LastValue | null {
    const row = this.find(series);
    const newest = row && this.#newest.get(row.id);
    if (row === undefined || newest === undefined) return null;
    const { time_ms, value, quality } = newest;
    const { channel, unit } = row;
    const named = sampleQuality.options.find((name) => qualityCode[name] === quality) ?? 'bad';
    return { ...series, channel, unit, time_ms, value, quality: named };
  }

  /** Time of the first row, ms; null when there is none. */
  oldest_ms(id: number, resolution: Resolution): number | null {
    return this.#oldest[resolution].get(id) ?? null;
  }

  /** The rows of a span in order of time, in chunks; after the last rollup, the samples that are not in one yet. */
  *stretches(id: number, span: Span, resolution: Resolution): Generator<Stretch[]> {
    yield* this.#walk(id, span, resolution);
    if (resolution !== 'raw') yield* this.#walk(id, this.#tail(id, span), 'raw');
  }

  /** Each column that is read costs: a sample has two, a row begins no later than its last moment. */
  *#walk(id: number, { from_ms, to_ms }: Span, resolution: Resolution): Generator<Stretch[]> {
    for (let nextMs = from_ms; ;) {
      const stretches =
        resolution === 'raw'
          ? this.#samples.all(id, nextMs, to_ms).map(sampleStretch)
          : this.#stretches[resolution].all(id, nextMs, to_ms).map(rollupStretch);
      yield stretches;
      const end = stretches.at(-1);
      if (stretches.length < chunkRows || end === undefined) return;
      nextMs = end.last_ms + 1;
    }
  }

  /** Like `stretches`, for a series of directions. */
  *directions(id: number, span: Span, resolution: Resolution): Generator<DirectionStretch[]> {
    yield* this.#walkDirections(id, span, resolution);
    if (resolution !== 'raw') yield* this.#walkDirections(id, this.#tail(id, span), 'raw');
  }

  *#walkDirections(id: number, { from_ms, to_ms }: Span, resolution: Resolution): Generator<DirectionStretch[]> {
    for (let nextMs = from_ms; ;) {
      const stretches =
        resolution === 'raw'
          ? this.#samples.all(id, nextMs, to_ms).map(sampleDirection)
          : this.#directions[resolution].all(id, nextMs, to_ms).map(rollupDirection);
      yield stretches;
      const end = stretches.at(-1);
      if (stretches.length < chunkRows || end === undefined) return;
      nextMs = end.last_ms + 1;
    }
  }

  /** Sum of the unit vectors of the directions of a span. */
  vectors(id: number, span: Span, resolution: Resolution): VectorSum {
    const parts = this.#parts(id, span, resolution).map(([part, name]) =>
      this.#vectors[name].get(id, part.from_ms, part.to_ms),
    );
    return {
      sin_sum: parts.reduce((sum, part) => sum + (part?.sin_sum ?? 0), 0),
      cos_sum: parts.reduce((sum, part) => sum + (part?.cos_sum ?? 0), 0),
    };
  }

  /** Totals of a span, from rollups that fit it and samples that are not in one yet. */
  totals(id: number, span: Span, resolution: Resolution): Totals {
    const parts = this.#parts(id, span, resolution).map(
      ([part, name]) => this.#totals[name].get(id, part.from_ms, part.to_ms) ?? nothing,
    );
    return parts.reduce(added);
  }

  ends(id: number, span: Span, resolution: Resolution): Ends {
    const parts = this.#parts(id, span, resolution);
    const first = parts.map(([part, name]) => this.#first[name].get(id, part.from_ms, part.to_ms));
    const last = parts.map(([part, name]) => this.#last[name].get(id, part.from_ms, part.to_ms));
    return {
      first: first.find((value) => value !== undefined) ?? null,
      last: last.findLast((value) => value !== undefined) ?? null,
    };
  }

  /** Starts and means of the buckets of a span, then those of the minutes without a rollup yet. */
  *means(id: number, span: Span, resolution: 'minute' | 'quarter'): Generator<[start_ms: number, mean: number][]> {
    let { from_ms } = span;
    for (;;) {
      const rows = this.#means[resolution].all(id, from_ms, span.to_ms);
      yield rows;
      const end = rows.at(-1);
      if (rows.length < chunkRows || end === undefined) break;
      from_ms = end[0] + 1;
    }
    yield this.#tailMeans.all({ id, ...this.#tail(id, span) });
  }

  /** The span widened to the nearest rows outside it; to everything without a rollup yet when there is no later row. */
  withNeighbours(id: number, { from_ms, to_ms }: Span, resolution: 'minute' | 'quarter'): Span {
    const afterMs = this.#after[resolution].get(id, to_ms);
    return {
      from_ms: this.#before[resolution].get(id, from_ms) ?? from_ms,
      to_ms: afterMs === undefined ? Number.MAX_SAFE_INTEGER : afterMs + 1,
    };
  }

  findState(device_id: string, channel: number): number | undefined {
    return this.#state.get(device_id, outputStateMeasurementId, channel);
  }

  /** Those that touch the span, newest first. */
  intervals(id: number, { from_ms, to_ms }: Span, limit: number): IntervalRow[] {
    return this.#intervals.all({ id, from_ms, to_ms, limit });
  }

  /** Their beginnings, newest first. */
  switches(id: number, { from_ms, to_ms }: Span, limit: number): SwitchRow[] {
    return this.#switches.all({ id, from_ms, to_ms, limit });
  }

  /** The first samples of a span; `isWhole` when they are all. */
  samples(id: number, { from_ms, to_ms }: Span): { rows: [time_ms: number, value: number][]; isWhole: boolean } {
    const rows = this.#samples.all(id, from_ms, to_ms);
    return { rows, isWhole: rows.length < chunkRows };
  }

  #parts(id: number, span: Span, resolution: Resolution): [Span, Resolution][] {
    if (resolution === 'raw') return [[span, 'raw']];
    const tail = this.#tail(id, span);
    return tail.from_ms < tail.to_ms
      ? [
          [span, resolution],
          [tail, 'raw'],
        ]
      : [[span, resolution]];
  }

  /** The part of a span without rollups: they trail the samples by the minute under way. */
  #tail(id: number, { from_ms, to_ms }: Span): Span {
    const lastMs = this.#rolledUp.get(id);
    return { from_ms: lastMs === undefined ? from_ms : Math.max(from_ms, lastMs + 1), to_ms };
  }
}

function sampleStretch([time_ms, value]: SampleRow): Stretch {
  return { first_ms: time_ms, first: value, last_ms: time_ms, last: value, min: value, max: value };
}

function sampleDirection([time_ms, value]: SampleRow): DirectionStretch {
  return { first_ms: time_ms, last_ms: time_ms, count: 1, only: value, ...vectorOf(value) };
}

function rollupDirection([first_ms, last_ms, count, sin_sum, cos_sum]: DirectionRow): DirectionStretch {
  return { first_ms, last_ms, count, sin_sum, cos_sum, only: null };
}

function rollupStretch([first_ms, first, last_ms, last, min, max]: StretchRow): Stretch {
  return { first_ms, first, last_ms, last, min, max };
}

const nothing: Totals = { count: 0, sum: null, min: null, max: null };

function added(one: Totals, other: Totals): Totals {
  if (one.count === 0 || other.count === 0) return one.count === 0 ? other : one;
  return {
    count: one.count + other.count,
    sum: (one.sum ?? 0) + (other.sum ?? 0),
    min: Math.min(one.min ?? Infinity, other.min ?? Infinity),
    max: Math.max(one.max ?? -Infinity, other.max ?? -Infinity),
  };
}

function rangeOf(name: Resolution, order = 'ASC'): string {
  const key = keys[name];
  const only = name === 'raw' ? `AND ${usable}` : '';
  return `FROM ${tables[name]} WHERE series_id = ? AND ${key} >= ? AND ${key} < ? ${only} ORDER BY ${key} ${order}`;
}
