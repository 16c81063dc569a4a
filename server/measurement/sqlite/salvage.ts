import Sqlite, { type Database } from 'better-sqlite3';
import { openDamaged } from '../../db/damaged-file.ts';
import { qualityCode, type SeriesKey } from './batch.ts';
import { rowsOfPages, type NumberRow } from './leaf-pages.ts';
import type { SampleStore } from './sample-store.ts';

const rowsAStep = 500;
/** series_id, time_ms, value, quality. */
const sampleColumns = 4;
const qualities = Object.values(qualityCode);
const lowestId = Number.MIN_SAFE_INTEGER;
const highestId = Number.MAX_SAFE_INTEGER;

export interface Salvaged {
  samples: number;
  /** Series that could not be read completely. */
  damaged_series: number;
}

interface Target {
  db: Database;
  store: SampleStore;
}

/** How one table of a series is read and written to the new file. */
interface Copied<Row> {
  table: string;
  key: 'time_ms' | 'start_ms';
  keep: (seriesId: number, rows: readonly Row[]) => void;
}

type KeyedRow = Record<string, number | string | null> & { key: number };

/** Losing a row of it only loses reasons, and an older file lacks it. */
const wordsTable = 'state_origin';

/**
 * Copies what is readable from a damaged file into the store, a few hundred rows a step: each series from its start to
 * the damage, then from its end back to it, and if that is not all, the samples found in any page of the file. Rows
 * already in the store stay. Quarters and days follow from the minutes.
 */
export function* salvage(aside: string, target: Target): Generator<void, Salvaged, void> {
  const result = { samples: 0, damaged_series: 0 };
  const source = openDamaged(aside);
  if (source === null) return result;
  const [samples, ...others] = copiesInto(target, (kept) => (result.samples += kept));
  try {
    const { rows: series } = readUntilDamage<SeriesKey & { id: number }>(
      source,
      'SELECT * FROM series NOT INDEXED',
      {},
    );
    const newIds = new Map(
      series.map(({ id, ...key }) => [id, target.store.transaction(() => target.store.seriesId(key))]),
    );
    const damaged = new Set<number>();
    const copyAll = function* (copied: Copied<KeyedRow>): Generator<void, void, void> {
      for (const [id, newId] of newIds) {
        const isWhole = yield* copyTable({ source, target, copied }, id, newId);
        if (!isWhole && copied.table !== wordsTable) damaged.add(id);
      }
    };
    yield* copyAll(samples);
    // Before the minutes: a minute that exists without its samples counts as one whose samples were deleted.
    if (damaged.size > 0) result.samples += yield* searchPages(aside, target, newIds);
    for (const copied of others) yield* copyAll(copied);
    result.damaged_series = damaged.size;
  } finally {
    source.close();
  }
  return result;
}

/** Stores the samples of all pages that hold some; returns how many were new. */
function* searchPages(
  aside: string,
  { store }: Target,
  newIds: ReadonlyMap<number, number>,
): Generator<void, number, void> {
  let found = 0;
  for (const rows of rowsOfPages(aside)) {
    const bySeries = Map.groupBy(rows.flatMap(sampleOf), ({ series_id }) => series_id);
    for (const [id, samples] of bySeries) {
      const newId = newIds.get(id);
      if (newId === undefined) continue;
      const columns = {
        time_ms: samples.map(({ time_ms }) => time_ms),
        value: samples.map(({ value }) => value ?? NaN),
        quality: samples.map(({ quality }) => quality),
      };
      found += store.transaction(() => store.adopt(newId, columns, [...samples.keys()]));
    }
    if (bySeries.size > 0) yield;
  }
  return found;
}

/** A row of the sample table is recognised by its columns; no other table or index has such rows. */
function sampleOf(row: NumberRow): { series_id: number; time_ms: number; value: number | null; quality: number }[] {
  const [series_id, time_ms, value = null, quality] = row;
  if (row.length !== sampleColumns || series_id == null || time_ms == null || quality == null) return [];
  const isSample = Number.isSafeInteger(time_ms) && time_ms > 0 && qualities.some((code) => code === quality);
  return isSample ? [{ series_id, time_ms, value, quality }] : [];
}

function copiesInto(
  { db, store }: Target,
  kept: (samples: number) => void,
): [samples: Copied<KeyedRow>, ...others: Copied<KeyedRow>[]] {
  const minute = db.prepare(`INSERT OR IGNORE INTO rollup_minute VALUES
    (@series_id, @start_ms, @count, @sum, @min, @max, @first_ms, @first, @last_ms, @last, @sin_sum, @cos_sum)`);
  const interval = db.prepare(`INSERT OR IGNORE INTO state_interval VALUES
    (@series_id, @start_ms, @end_ms, @seen_ms, @state)`);
  const origin = db.prepare('INSERT OR IGNORE INTO state_origin VALUES (@series_id, @start_ms, @origin)');
  return [
    {
      table: 'sample',
      key: 'time_ms',
      keep: (series_id, rows) => {
        const column = (name: string): number[] => rows.map((row) => Number(row[name] ?? NaN));
        const columns = { time_ms: column('time_ms'), value: column('value'), quality: column('quality') };
        kept(store.adopt(series_id, columns, [...rows.keys()]));
      },
    },
    {
      table: 'rollup_minute',
      key: 'start_ms',
      keep: (series_id, rows) => {
        for (const row of rows) minute.run({ sin_sum: null, cos_sum: null, ...row, series_id });
        store.rejoin(
          series_id,
          rows.map(({ key }) => key),
        );
      },
    },
    {
      table: 'state_interval',
      key: 'start_ms',
      keep: (series_id, rows) => {
        for (const row of rows) {
          const endMs = row['end_ms'] ?? row['seen_ms'] ?? null; // nobody vouches for what was open
          if (endMs !== null && Number(endMs) > row.key) interval.run({ ...row, series_id, end_ms: endMs });
        }
      },
    },
    {
      table: wordsTable,
      key: 'start_ms',
      keep: (series_id, rows) => {
        for (const row of rows) origin.run({ ...row, series_id });
      },
    },
  ];
}

interface TableCopy {
  source: Database;
  target: Target;
  copied: Copied<KeyedRow>;
}

/** False when the table could not be read from end to end. */
function* copyTable({ source, target, copied }: TableCopy, id: number, newId: number): Generator<void, boolean, void> {
  const { table, key } = copied;
  const span = { id, after: lowestId, before: highestId };
  for (const order of ['ASC', 'DESC'] as const) {
    const sql = `SELECT *, ${key} AS key FROM ${table} WHERE series_id = @id AND ${key} > @after AND ${key} < @before
      ORDER BY ${key} ${order} LIMIT ${rowsAStep}`;
    for (;;) {
      const { rows, isWhole } = readUntilDamage<KeyedRow>(source, sql, span);
      if (rows.length > 0) target.store.transaction(() => copied.keep(newId, rows));
      const reached = rows.at(-1)?.key ?? (order === 'ASC' ? span.after : span.before);
      if (order === 'ASC') span.after = reached;
      else span.before = reached;
      yield;
      if (!isWhole) break;
      if (rows.length < rowsAStep) return order === 'ASC';
    }
  }
  return false;
}

/** The rows before the first unreadable one. */
function readUntilDamage<Row>(source: Database, sql: string, bound: object): { rows: Row[]; isWhole: boolean } {
  const rows: Row[] = [];
  try {
    for (const row of source.prepare<[object], Row>(sql).iterate(bound)) rows.push(row);
    return { rows, isWhole: true };
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error;
    return { rows, isWhole: false };
  }
}
