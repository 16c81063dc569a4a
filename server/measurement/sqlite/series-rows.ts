import type { Database } from 'better-sqlite3';
import { outputStateMeasurementId, sampleQuality, type LastValue } from '../../contract/measurement.ts';
import { vectorOf, type VectorSum } from '../../domain/series/direction.ts';
import type { DirectionStretch } from '../../domain/series/mean-directions.ts';
import type { Stretch } from '../../domain/series/m4.ts';
import type { Resolution, Span } from '../../domain/series/resolution.ts';
import type { SeriesName } from '../reader.ts';
import { qualityCode } from './batch.ts';
import {
  chunkRows,
  rowStatements,
  seriesStatements,
  spanStatements,
  stateStatements,
  type DirectionRow,
  type IntervalRow,
  type MeanRow,
  type Range,
  type SampleRow,
  type SeriesRow,
  type StretchRow,
  type SwitchRow,
  type Totals,
} from './series-statements.ts';

interface Ends {
  first: number | null;
  last: number | null;
}

/** Reads the series of a measurements.db. */
export class SeriesRows {
  readonly #series: ReturnType<typeof seriesStatements>;
  readonly #rows: ReturnType<typeof rowStatements>;
  readonly #spans: ReturnType<typeof spanStatements>;
  readonly #states: ReturnType<typeof stateStatements>;
  readonly #snapshot: (read: () => unknown) => unknown;

  constructor(db: Database) {
    this.#series = seriesStatements(db);
    this.#rows = rowStatements(db);
    this.#spans = spanStatements(db);
    this.#states = stateStatements(db);
    this.#snapshot = db.transaction((read: () => unknown) => read());
  }

  /** Reads inside see the file as it is now, whatever the writer does meanwhile. */
  snapshot<Result>(read: () => Result): Result {
    return this.#snapshot(read) as Result; // a transaction gives what its function gives
  }

  /** The series of the newest unit. */
  find({ device_id, measurement_id }: SeriesName): SeriesRow | undefined {
    const rows = this.#series.named.all(device_id, measurement_id);
    if (rows.length < 2) return rows[0];
    const newestMs = ({ id }: SeriesRow): number => this.#series.newest.get(id)?.time_ms ?? -Infinity;
    return rows.reduce((best, row) => (newestMs(row) > newestMs(best) ? row : best));
  }

  last(series: SeriesName): LastValue | null {
    const row = this.find(series);
    const newest = row && this.#series.newest.get(row.id);
    if (row === undefined || newest === undefined) return null;
    const { time_ms, value, quality } = newest;
    const { channel, unit } = row;
    const named = sampleQuality.options.find((name) => qualityCode[name] === quality) ?? 'bad';
    return { ...series, channel, unit, time_ms, value, quality: named };
  }

  /** Time of the first row, ms; null when there is none. */
  oldest_ms(id: number, resolution: Resolution): number | null {
    return this.#series.oldest[resolution].get(id) ?? null;
  }

  /** The rows of a span in order of time, in chunks; after the last rollup, the samples that are not in one yet. */
  *stretches(id: number, span: Span, resolution: Resolution): Generator<Stretch[]> {
    for (const [{ from_ms, to_ms }, name] of this.#parts(id, span, resolution))
      yield* paged(from_ms, (nextMs) => this.#stretchesOf(name, [id, nextMs, to_ms]), lastOf);
  }

  /** Like `stretches`, for a series of directions. */
  *directions(id: number, span: Span, resolution: Resolution): Generator<DirectionStretch[]> {
    for (const [{ from_ms, to_ms }, name] of this.#parts(id, span, resolution))
      yield* paged(from_ms, (nextMs) => this.#directionsOf(name, [id, nextMs, to_ms]), lastOf);
  }

  /** Sum of the unit vectors of the directions of a span. */
  vectors(id: number, span: Span, resolution: Resolution): VectorSum {
    const parts = [...this.#parts(id, span, resolution)].map(([part, name]) =>
      this.#spans.vectors[name].get(id, part.from_ms, part.to_ms),
    );
    return {
      sin_sum: parts.reduce((sum, part) => sum + (part?.sin_sum ?? 0), 0),
      cos_sum: parts.reduce((sum, part) => sum + (part?.cos_sum ?? 0), 0),
    };
  }

  /** Totals of a span, from rollups that fit it and samples that are not in one yet. */
  totals(id: number, span: Span, resolution: Resolution): Totals {
    const parts = [...this.#parts(id, span, resolution)].map(
      ([part, name]) => this.#spans.totals[name].get(id, part.from_ms, part.to_ms) ?? nothing,
    );
    return parts.reduce(added);
  }

  ends(id: number, span: Span, resolution: Resolution): Ends {
    const parts = [...this.#parts(id, span, resolution)];
    const first = parts.map(([part, name]) => this.#spans.first[name].get(id, part.from_ms, part.to_ms));
    const last = parts.map(([part, name]) => this.#spans.last[name].get(id, part.from_ms, part.to_ms));
    return {
      first: first.find((value) => value !== undefined) ?? null,
      last: last.findLast((value) => value !== undefined) ?? null,
    };
  }

  /** Starts and means of the buckets of a span, then those of the minutes without a rollup yet. */
  *means(id: number, { from_ms, to_ms }: Span, resolution: 'minute' | 'quarter'): Generator<MeanRow[]> {
    const read = (nextMs: number): MeanRow[] => this.#rows.means[resolution].all(id, nextMs, to_ms);
    yield* paged(from_ms, read, ([start_ms]) => start_ms);
    yield this.#rows.tailMeans.all({ id, ...this.#tail(id, { from_ms, to_ms }) });
  }

  /** The span widened to the nearest rows outside it; to everything without a rollup yet when there is no later row. */
  withNeighbours(id: number, { from_ms, to_ms }: Span, resolution: 'minute' | 'quarter'): Span {
    const afterMs = this.#spans.after[resolution].get(id, to_ms);
    return {
      from_ms: this.#spans.before[resolution].get(id, from_ms) ?? from_ms,
      to_ms: afterMs === undefined ? Number.MAX_SAFE_INTEGER : afterMs + 1,
    };
  }

  findState(device_id: string, channel: number): number | undefined {
    return this.#series.state.get(device_id, outputStateMeasurementId, channel);
  }

  /** Those that touch the span, newest first. */
  intervals(id: number, { from_ms, to_ms }: Span, limit: number): IntervalRow[] {
    return this.#states.intervals.all({ id, from_ms, to_ms, limit });
  }

  /** Their beginnings, newest first. */
  switches(id: number, { from_ms, to_ms }: Span, limit: number): SwitchRow[] {
    return this.#states.switches.all({ id, from_ms, to_ms, limit });
  }

  /** The first samples of a span; `isWhole` when they are all. */
  samples(id: number, { from_ms, to_ms }: Span, limit: number): { rows: SampleRow[]; isWhole: boolean } {
    const rows = this.#rows.begin.all(id, from_ms, to_ms, limit);
    return { rows, isWhole: rows.length < limit };
  }

  /** Each column that is read costs: a sample has two, a row begins no later than its last moment. */
  #stretchesOf(name: Resolution, range: Range): Stretch[] {
    if (name === 'raw') return this.#rows.samples.all(...range).map(sampleStretch);
    return this.#rows.stretches[name].all(...range).map(rollupStretch);
  }

  #directionsOf(name: Resolution, range: Range): DirectionStretch[] {
    if (name === 'raw') return this.#rows.samples.all(...range).map(sampleDirection);
    return this.#rows.directions[name].all(...range).map(rollupDirection);
  }

  /** A span by its rollups, then the part of it without, by its samples. */
  *#parts(id: number, span: Span, resolution: Resolution): Generator<[Span, Resolution]> {
    yield [span, resolution];
    if (resolution === 'raw') return;
    const tail = this.#tail(id, span);
    if (tail.from_ms < tail.to_ms) yield [tail, 'raw'];
  }

  /** The part of a span without rollups: they trail the samples by the minute under way. */
  #tail(id: number, { from_ms, to_ms }: Span): Span {
    const lastMs = this.#series.rolledUp.get(id);
    return { from_ms: lastMs === undefined ? from_ms : Math.max(from_ms, lastMs + 1), to_ms };
  }
}

/** Rows from a time on, a chunk at a time; each chunk begins after the last moment of the one before. */
function* paged<Row>(from_ms: number, read: (from_ms: number) => Row[], endOf: (row: Row) => number): Generator<Row[]> {
  for (let nextMs = from_ms; ;) {
    const rows = read(nextMs);
    yield rows;
    const end = rows.at(-1);
    if (rows.length < chunkRows || end === undefined) return;
    nextMs = endOf(end) + 1;
  }
}

function lastOf({ last_ms }: { last_ms: number }): number {
  return last_ms;
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
