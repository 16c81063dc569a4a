import type { Database, Statement } from 'better-sqlite3';
import { isDirection, vectorOfRow } from '../../domain/series/direction.ts';
import {
  joinedAll,
  OpenRollups,
  rollupLevels,
  rollupStart,
  rollupWidthMs,
  type Rollup,
  type RollupLevel,
  type RollupRows,
} from '../../domain/series/rollup.ts';

interface LevelStatements {
  put: Statement<[Rollup & { series_id: number }]>;
  within: Statement<[number, number, number], Rollup>;
  remove: Statement<[number, number]>;
}

function levelStatements(db: Database, level: RollupLevel): LevelStatements {
  const table = `rollup_${level}`;
  return {
    put: db.prepare(`INSERT OR REPLACE INTO ${table} VALUES
      (@series_id, @start_ms, @count, @sum, @min, @max, @first_ms, @first, @last_ms, @last,
       @sin_sum, @cos_sum)`),
    within: db.prepare(`SELECT start_ms, count, sum, min, max, first_ms, first, last_ms, last,
        sin_sum, cos_sum FROM ${table}
      WHERE series_id = ? AND start_ms >= ? AND start_ms < ? ORDER BY start_ms`),
    remove: db.prepare(`DELETE FROM ${table} WHERE series_id = ? AND start_ms = ?`),
  };
}

interface CountedSample {
  time_ms: number;
  value: number;
}

/** The rollups of measurements.db. Every call is part of the caller's transaction. */
export class RollupTable {
  readonly #levels: Record<RollupLevel, LevelStatements>;
  readonly #samples: Statement<[number, number, number], CountedSample>;
  readonly #isFinal: Statement<[number, number, number, number, number], number>;
  readonly #newest: Statement<[number], { start_ms: number; last_ms: number }>;
  readonly #minutesCountedFrom: Statement<[number, number], number>;
  readonly #unit: Statement<[number], string>;
  readonly #minutesSampled: Statement<[number, number, number], number>;

  constructor(db: Database) {
    this.#levels = {
      minute: levelStatements(db, 'minute'),
      quarter: levelStatements(db, 'quarter'),
      day: levelStatements(db, 'day'),
    };
    this.#samples = db.prepare(`SELECT time_ms, value FROM sample
      WHERE series_id = ? AND time_ms >= ? AND time_ms < ? AND quality < 2 AND value IS NOT NULL ORDER BY time_ms`);
    this.#isFinal = db
      .prepare<[number, number, number, number, number], number>(
        `SELECT EXISTS (SELECT 1 FROM rollup_minute WHERE series_id = ? AND start_ms = ?)
           AND NOT EXISTS (SELECT 1 FROM sample WHERE series_id = ? AND time_ms >= ? AND time_ms < ?)`,
      )
      .pluck();
    this.#newest = db.prepare(`SELECT start_ms, last_ms FROM rollup_minute
      WHERE series_id = ? ORDER BY start_ms DESC LIMIT 1`);
    this.#unit = db.prepare<[number], string>('SELECT unit FROM series WHERE id = ?').pluck();
    const minutes = 'SELECT DISTINCT time_ms - ((time_ms % 60000) + 60000) % 60000 FROM sample'; // % keeps the sign, also before 1970
    this.#minutesCountedFrom = db
      .prepare<[number, number], number>(
        `${minutes} WHERE series_id = ? AND time_ms >= ? AND quality < 2 AND value IS NOT NULL`,
      )
      .pluck();
    this.#minutesSampled = db
      .prepare<[number, number, number], number>(`${minutes} WHERE series_id = ? AND time_ms >= ? AND time_ms < ?`)
      .pluck();
  }

  put(seriesId: number, rows: RollupRows): void {
    for (const level of rollupLevels) this.#levels[level].put.run({ series_id: seriesId, ...rows[level] });
  }

  /** True for a minute whose samples were deleted by retention: it cannot be recomputed. */
  isFinal(seriesId: number, minute: number): boolean {
    return this.#isFinal.get(seriesId, minute, seriesId, minute, minute + rollupWidthMs.minute) === 1;
  }

  /** Recomputes minutes from their samples, then the rollups that contain them. */
  recompute(seriesId: number, minutes: Iterable<number>): void {
    const changed = new Set(minutes);
    const isTurning = this.#isDirection(seriesId);
    for (const minute of changed) {
      const samples = this.#samples.iterate(seriesId, minute, minute + rollupWidthMs.minute);
      this.#replace(seriesId, 'minute', minute, joinedSamples(samples, isTurning));
    }
    this.rejoin(seriesId, changed);
  }

  /** Adds the vector sums to minutes of directions: from their samples or, if these were deleted, from what is left. */
  turn(seriesId: number, minutes: readonly number[]): void {
    const isFinal = (minute: number): boolean => this.isFinal(seriesId, minute);
    for (const minute of minutes.filter(isFinal)) {
      const row = this.#levels.minute.within.get(seriesId, minute, minute + 1);
      if (row !== undefined) this.#replace(seriesId, 'minute', minute, { ...row, ...vectorOfRow(row) });
    }
    this.recompute(
      seriesId,
      minutes.filter((minute) => !isFinal(minute)),
    );
    this.rejoin(seriesId, new Set(minutes));
  }

  /** Recomputes the rollups that contain these minutes. */
  rejoin(seriesId: number, minutes: ReadonlySet<number>): void {
    this.#joinAnew(seriesId, 'quarter', 'minute', minutes);
    this.#joinAnew(seriesId, 'day', 'quarter', minutes);
  }

  /** Recomputes whole days; minutes without samples stay, as their samples were deleted. */
  rebuild(seriesId: number, fromMs: number, toMs: number): void {
    this.recompute(seriesId, this.#minutesSampled.all(seriesId, fromMs, toMs));
    const parts = rollupLevels.flatMap((level) => this.#levels[level].within.all(seriesId, fromMs, toMs));
    this.rejoin(seriesId, new Set(parts.map(({ start_ms }) => start_ms)));
  }

  /** The unfinished rollups of a series, after adding those of samples that no row covers yet. */
  open(seriesId: number): OpenRollups {
    const before = this.#newest.get(seriesId);
    const fromMs = before === undefined ? Number.MIN_SAFE_INTEGER : before.last_ms + 1;
    const missed = this.#minutesCountedFrom.all(seriesId, fromMs);
    if (missed.length > 0) this.recompute(seriesId, missed);
    const newest = missed.length > 0 ? this.#newest.get(seriesId) : before;
    return newest === undefined
      ? new OpenRollups(this.#isDirection(seriesId))
      : this.#openAt(seriesId, newest.start_ms);
  }

  #openAt(seriesId: number, minuteMs: number): OpenRollups {
    const [quarter, day] = [rollupStart('quarter', minuteMs), rollupStart('day', minuteMs)];
    return new OpenRollups(this.#isDirection(seriesId), {
      minute: joinedAll(
        'minute',
        this.#levels.minute.within.iterate(seriesId, minuteMs, minuteMs + rollupWidthMs.minute),
      ),
      quarterBefore: joinedAll('quarter', this.#levels.minute.within.iterate(seriesId, quarter, minuteMs)),
      dayBefore: joinedAll('day', this.#levels.quarter.within.iterate(seriesId, day, quarter)),
    });
  }

  #isDirection(seriesId: number): boolean {
    return isDirection(this.#unit.get(seriesId) ?? '');
  }

  #joinAnew(seriesId: number, level: 'quarter' | 'day', finer: RollupLevel, minutes: ReadonlySet<number>): void {
    const width = rollupWidthMs[level];
    for (const start of new Set([...minutes].map((timeMs) => rollupStart(level, timeMs)))) {
      const parts = this.#levels[finer].within.iterate(seriesId, start, start + width);
      this.#replace(seriesId, level, start, joinedAll(level, parts));
    }
  }

  #replace(seriesId: number, level: RollupLevel, startMs: number, row: Rollup | null): void {
    if (row === null) this.#levels[level].remove.run(seriesId, startMs);
    else this.#levels[level].put.run({ series_id: seriesId, ...row });
  }
}

function joinedSamples(samples: Iterable<CountedSample>, isTurning: boolean): Rollup | null {
  const open = new OpenRollups(isTurning);
  for (const { time_ms, value } of samples) open.add(time_ms, value);
  return open.rows()?.minute ?? null;
}
