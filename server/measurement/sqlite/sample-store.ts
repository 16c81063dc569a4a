import type { Database, Statement } from 'better-sqlite3';
import { rollupStart, type OpenRollups } from '../../domain/series/rollup.ts';
import { qualityCode, type SeriesKey } from './batch.ts';
import { RollupTable } from './rollup-table.ts';

/** Samples as columns; a value that is not a number stands for null. Their series are row ids. */
export interface SampleColumns {
  time_ms: ArrayLike<number>;
  value: ArrayLike<number>;
  quality: ArrayLike<number>;
}

interface OpenSeries {
  rollups: OpenRollups;
  /** The time of the series' newest sample. */
  last_ms: number;
  /** Since when there are samples that no row covers, by the caller's clock; null when all are written. */
  unwritten_since: number | null;
}

type SampleRow = [series_id: number, time_ms: number, value: number | null, quality: number];

/** The samples of measurements.db and their rollups. Every call is one transaction of its own. */
export class SampleStore {
  readonly #db: Database;
  readonly #rollups: RollupTable;
  readonly #insertSeries: Statement<[SeriesKey]>;
  readonly #findSeries: Statement<[SeriesKey], number>;
  readonly #append: Statement<SampleRow>;
  readonly #correct: Statement<SampleRow>;
  readonly #adopt: Statement<SampleRow>;
  readonly #newest: Statement<[number], number>;
  /** What is known about series without reading the file; may be dropped at any time. */
  readonly #open = new Map<number, OpenSeries>();
  readonly #now: () => number;

  constructor(db: Database, now: () => number) {
    this.#db = db;
    this.#now = now;
    this.#rollups = new RollupTable(db);
    this.#insertSeries = db.prepare(`INSERT INTO series (device_id, measurement_id, channel, unit)
      VALUES (@device_id, @measurement_id, @channel, @unit) ON CONFLICT DO NOTHING`);
    this.#findSeries = db
      .prepare<[SeriesKey], number>(
        `SELECT id FROM series WHERE device_id = @device_id AND measurement_id = @measurement_id
           AND channel = @channel AND unit = @unit`,
      )
      .pluck();
    const insert = 'INSERT INTO sample (series_id, time_ms, value, quality) VALUES (?, ?, ?, ?)';
    this.#append = db.prepare(insert);
    this.#correct = db.prepare(
      `${insert} ON CONFLICT DO UPDATE SET value = excluded.value, quality = excluded.quality`,
    );
    this.#adopt = db.prepare(`${insert} ON CONFLICT DO NOTHING`);
    this.#newest = db.prepare<[number], number>('SELECT max(time_ms) FROM sample WHERE series_id = ?').pluck();
  }

  /** All of it or, on a throw, nothing. */
  transaction<T>(work: () => T): T {
    try {
      return this.#db.transaction(work).immediate();
    } catch (error) {
      this.#open.clear(); // it may know of what was undone
      throw error;
    }
  }

  seriesId(key: SeriesKey): number {
    this.#insertSeries.run(key);
    const id = this.#findSeries.get(key);
    if (id === undefined) throw new Error('a series that was just written is not there');
    return id;
  }

  /** Stores samples of one series, in the caller's transaction: a second one of a moment corrects the first. */
  write(seriesId: number, samples: SampleColumns, places: readonly number[]): void {
    const series = this.#opened(seriesId);
    if (isInOrder(samples.time_ms, places, series.last_ms)) this.#appendAll(seriesId, series, { samples, places });
    else this.#placeAll(seriesId, { samples, places }, this.#correct);
  }

  /** Like `write`, but existing samples stay; returns how many were new. */
  adopt(seriesId: number, samples: SampleColumns, places: readonly number[]): number {
    return this.#placeAll(seriesId, { samples, places }, this.#adopt);
  }

  /**
   * Writes the rollups of series that have been silent since a moment of the caller's clock, at most `count`; returns
   * how many.
   */
  settle(sinceMs: number, count = Infinity): number {
    let written = 0;
    for (const [seriesId, series] of this.#open) {
      if (series.unwritten_since === null || series.unwritten_since > sinceMs) continue;
      this.#writeOut(seriesId, series);
      written += 1;
      if (written >= count) break;
    }
    return written;
  }

  /** Adds rollups that a crash kept from being written. */
  catchUp(seriesId: number): void {
    this.#opened(seriesId);
  }

  /** Recomputes quarters and days after the caller changed rows of these minutes. */
  rejoin(seriesId: number, minutes: readonly number[]): void {
    this.#letGo(seriesId);
    this.#rollups.rejoin(seriesId, new Set(minutes));
  }

  /** Adds the vector sums to minutes of directions, and to the rollups that contain them. */
  turn(seriesId: number, minutes: readonly number[]): void {
    this.#letGo(seriesId);
    this.#rollups.turn(seriesId, minutes);
  }

  #opened(seriesId: number): OpenSeries {
    const known = this.#open.get(seriesId);
    if (known !== undefined) return known;
    const rollups = this.#rollups.open(seriesId);
    const lastMs = Math.max(this.#newest.get(seriesId) ?? -Infinity, rollups.rows()?.minute.last_ms ?? -Infinity);
    const opened = { rollups, last_ms: lastMs, unwritten_since: null };
    this.#open.set(seriesId, opened);
    return opened;
  }

  #appendAll(seriesId: number, series: OpenSeries, { samples, places }: Placed): void {
    for (const place of places) {
      const [time_ms, value, quality] = at(samples, place);
      this.#append.run(seriesId, time_ms, value, quality);
      series.last_ms = time_ms;
      if (value === null || quality === qualityCode.bad) continue;
      const ended = series.rollups.add(time_ms, value);
      if (ended !== null) this.#rollups.put(seriesId, ended);
      series.unwritten_since = this.#now();
    }
  }

  #placeAll(seriesId: number, { samples, places }: Placed, statement: Statement<SampleRow>): number {
    let placed = 0;
    this.#letGo(seriesId);
    const minutes = new Map<number, boolean>();
    for (const place of places) {
      const [time_ms, value, quality] = at(samples, place);
      const minute = rollupStart('minute', time_ms);
      const isFinal = minutes.get(minute) ?? this.#rollups.isFinal(seriesId, minute);
      minutes.set(minute, isFinal);
      if (!isFinal) placed += statement.run(seriesId, time_ms, value, quality).changes;
    }
    const changed = [...minutes].filter(([, isFinal]) => !isFinal).map(([minute]) => minute);
    this.#rollups.recompute(seriesId, changed);
    return placed;
  }

  /** Brings the rows up to the samples and drops the series' state, before a change other than its next sample. */
  #letGo(seriesId: number): void {
    const open = this.#open.get(seriesId);
    if (open !== undefined) this.#writeOut(seriesId, open);
    this.#open.delete(seriesId);
  }

  #writeOut(seriesId: number, series: OpenSeries): void {
    const rows = series.unwritten_since === null ? null : series.rollups.rows();
    if (rows !== null) this.#rollups.put(seriesId, rows);
    series.unwritten_since = null;
  }
}

interface Placed {
  samples: SampleColumns;
  places: readonly number[];
}

function isInOrder(times: ArrayLike<number>, places: readonly number[], afterMs: number): boolean {
  let last = afterMs;
  return places.every((place) => {
    const isLater = (times[place] ?? NaN) > last;
    last = times[place] ?? NaN;
    return isLater;
  });
}

function at({ time_ms, value, quality }: SampleColumns, place: number): [number, number | null, number] {
  const number = value[place] ?? NaN;
  // + 0 turns -0 into 0, as SQLite does
  return [time_ms[place] ?? 0, Number.isFinite(number) ? number + 0 : null, quality[place] ?? 0];
}
