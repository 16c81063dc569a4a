import Sqlite, { type Database } from 'better-sqlite3';
import { openDamaged } from '../../db/damaged-file.ts';
import type { SeriesKey } from './batch.ts';
import type { SampleStore } from './sample-store.ts';

const ROWS_A_STEP = 500;
const FIRST = Number.MIN_SAFE_INTEGER;
const LAST = Number.MAX_SAFE_INTEGER;

export interface Salvaged {
  samples: number;
  /** Series of which not all could be read. */
  damaged_series: number;
}

interface Target {
  db: Database;
  store: SampleStore;
}

/** How one table of a series is read and put into the new file. */
interface Copied<Row> {
  table: string;
  key: 'time_ms' | 'start_ms';
  keep: (seriesId: number, rows: readonly Row[]) => void;
}

type KeyedRow = Record<string, number | null> & { key: number };

/**
 * Copies what can be read of a damaged file into the store, a few hundred rows a step: each series from its beginning to the damage,
 * then from its end back to it. What the store has already stays. Quarters and days follow from the minutes.
 */
export function* salvage(aside: string, target: Target): Generator<void, Salvaged, void> {
  const result = { samples: 0, damaged_series: 0 };
  const source = openDamaged(aside);
  if (source === null) return result;
  const copies = copiesInto(target, (samples) => (result.samples += samples));
  try {
    const { rows: series } = readUntilDamage<SeriesKey & { id: number }>(
      source,
      'SELECT * FROM series NOT INDEXED',
      {},
    );
    for (const { id, ...key } of series) {
      const newId = target.store.transaction(() => target.store.seriesId(key));
      let isWhole = true;
      for (const copied of copies) isWhole = (yield* copyTable({ source, target, copied }, id, newId)) && isWhole;
      if (!isWhole) result.damaged_series += 1;
    }
  } finally {
    source.close();
  }
  return result;
}

function copiesInto({ db, store }: Target, kept: (samples: number) => void): Copied<KeyedRow>[] {
  const minute = db.prepare(`INSERT OR IGNORE INTO rollup_minute VALUES
    (@series_id, @start_ms, @count, @sum, @min, @max, @first_ms, @first, @last_ms, @last, @sin_sum, @cos_sum)`);
  const interval = db.prepare(`INSERT OR IGNORE INTO state_interval VALUES
    (@series_id, @start_ms, @end_ms, @seen_ms, @state)`);
  return [
    {
      table: 'sample',
      key: 'time_ms',
      keep: (series_id, rows) => {
        const column = (name: string): number[] => rows.map((row) => row[name] ?? NaN);
        const columns = { time_ms: column('time_ms'), value: column('value'), quality: column('quality') };
        store.adopt(series_id, columns, [...rows.keys()]);
        kept(rows.length);
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
          const end_ms = row['end_ms'] ?? row['seen_ms'] ?? null; // nobody vouches for what was open
          if (end_ms !== null && end_ms > row.key) interval.run({ ...row, series_id, end_ms });
        }
      },
    },
  ];
}

interface TableCopy {
  source: Database;
  target: Target;
  copied: Copied<KeyedRow>;
}

/** False where the table could not be read from one end to the other. */
function* copyTable({ source, target, copied }: TableCopy, id: number, newId: number): Generator<void, boolean, void> {
  const { table, key } = copied;
  const span = { id, after: FIRST, before: LAST };
  for (const order of ['ASC', 'DESC'] as const) {
    const sql = `SELECT *, ${key} AS key FROM ${table} WHERE series_id = @id AND ${key} > @after AND ${key} < @before
      ORDER BY ${key} ${order} LIMIT ${ROWS_A_STEP}`;
    for (;;) {
      const { rows, isWhole } = readUntilDamage<KeyedRow>(source, sql, span);
      if (rows.length > 0) target.store.transaction(() => copied.keep(newId, rows));
      const reached = rows.at(-1)?.key ?? (order === 'ASC' ? span.after : span.before);
      if (order === 'ASC') span.after = reached;
      else span.before = reached;
      yield;
      if (!isWhole) break;
      if (rows.length < ROWS_A_STEP) return order === 'ASC';
    }
  }
  return false;
}

/** The rows before the first that cannot be read. */
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
