import type { Database } from '../../server/db/open.ts';
import type { Rollup } from '../../server/domain/series/rollup.ts';

/** Tables of rollups with the width of their buckets, ms, each computed from the one before it. */
const levels = [
  { table: 'rollup_minute', width_ms: 60_000 },
  { table: 'rollup_quarter', width_ms: 15 * 60_000 },
  { table: 'rollup_day', width_ms: 24 * 60 * 60_000 },
] as const;

export interface KeptSample {
  time_ms: number;
  value: number | null;
  quality: number;
}

/** The columns of every series; the vectors of directions have tests of their own. */
type PlainRollup = Omit<Rollup, 'sin_sum' | 'cos_sum'>;
export type AllRollups = Record<(typeof levels)[number]['table'], PlainRollup[]>;

/** The expected rollups for samples of one series, computed plainly from their list. */
export function plainRollups(samples: Iterable<KeptSample>): AllRollups {
  let parts: PlainRollup[] = [...samples]
    .filter(({ value, quality }) => value !== null && quality !== 2)
    .toSorted((a, b) => a.time_ms - b.time_ms)
    .map(({ time_ms, value }) => pointOf(time_ms, value ?? NaN));
  const all = {} as AllRollups; // filled below, one table after the other
  for (const { table, width_ms } of levels) {
    const buckets = Map.groupBy(parts, ({ first_ms }) => Math.floor(first_ms / width_ms) * width_ms);
    parts = [...buckets].map(([start_ms, bucket]) => bucketOf(start_ms, bucket));
    all[table] = parts;
  }
  return all;
}

function pointOf(timeMs: number, value: number): PlainRollup {
  return {
    start_ms: timeMs,
    count: 1,
    sum: value,
    min: value,
    max: value,
    first_ms: timeMs,
    first: value,
    last_ms: timeMs,
    last: value,
  };
}

function bucketOf(startMs: number, parts: readonly PlainRollup[]): PlainRollup {
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a bucket of nothing');
  return {
    start_ms: startMs,
    count: parts.reduce((count, part) => count + part.count, 0),
    sum: parts.slice(1).reduce((sum, part) => sum + part.sum, first.sum),
    min: Math.min(...parts.map(({ min }) => min)),
    max: Math.max(...parts.map(({ max }) => max)),
    first_ms: first.first_ms,
    first: first.first,
    last_ms: last.last_ms,
    last: last.last,
  };
}

/** The rollups of a series that a file holds. */
export function storedRollups(db: Database, seriesId: number): AllRollups {
  const read = (table: string): PlainRollup[] =>
    db
      .prepare<[number], PlainRollup>(
        `SELECT start_ms, count, sum, min, max, first_ms, first, last_ms, last FROM ${table}
         WHERE series_id = ? ORDER BY start_ms`,
      )
      .all(seriesId);
  return {
    rollup_minute: read('rollup_minute'),
    rollup_quarter: read('rollup_quarter'),
    rollup_day: read('rollup_day'),
  };
}

export function storedSamples(db: Database, seriesId: number): KeptSample[] {
  return db
    .prepare<[number], KeptSample>('SELECT time_ms, value, quality FROM sample WHERE series_id = ? ORDER BY time_ms')
    .all(seriesId);
}
