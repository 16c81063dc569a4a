import { describe, expect, it } from 'vitest';
import type { Database } from '../../../server/db/open.ts';
import type { SeriesKey } from '../../../server/measurement/sqlite/batch.ts';
import { deleteOld } from '../../../server/measurement/sqlite/retention.ts';
import { SampleStore } from '../../../server/measurement/sqlite/sample-store.ts';
import { testDatabase } from '../../support/database.ts';

const dayMs = 24 * 60 * 60_000;
const nowMs = 5_000 * dayMs + 7_200_000;
const key: SeriesKey = {
  device_id: '6a1f5c3e-0000-4000-8000-000000000001',
  measurement_id: '6a1f5c3e-0000-4000-8000-000000000002',
  channel: 0,
  unit: 'C',
};

interface Kept {
  db: Database;
  store: SampleStore;
  id: number;
}

/** A series with a sample at each of the moments, given in days before now. */
function kept(daysAgo: readonly number[], samplesEach = 1): Kept {
  const db = testDatabase('measurements');
  const store = new SampleStore(db, () => 0);
  const id = store.seriesId(key);
  const times = daysAgo.flatMap((days) =>
    Array.from({ length: samplesEach }, (_, second) => nowMs - days * dayMs + second * 1000),
  );
  write({ db, store, id }, times);
  return { db, store, id };
}

function write({ store, id }: Kept, times: readonly number[]): void {
  const columns = { time_ms: times, value: times.map(() => 1), quality: times.map(() => 0) };
  store.transaction(() => store.write(id, columns, [...times.keys()]));
  store.transaction(() => store.settle(Infinity));
}

function daysIn({ db }: Kept, table: string, column: string): number[] {
  const times = db.prepare<[], number>(`SELECT ${column} FROM ${table} ORDER BY 1`).pluck().all();
  return [...new Set(times.map((time) => Math.floor(nowMs / dayMs) - Math.floor(time / dayMs)))];
}

describe('retention', () => {
  it('keeps samples 400 days and rollups ten years, to whole days', () => {
    const all = kept([4_000, 3_651, 3_650, 401, 400, 399, 0]);
    for (const _ of deleteOld(all.db, { exceptions: [], now_ms: nowMs })) continue;
    expect(daysIn(all, 'sample', 'time_ms')).toEqual([400, 399, 0]);
    for (const table of ['rollup_minute', 'rollup_quarter', 'rollup_day']) {
      expect(daysIn(all, table, 'start_ms')).toEqual([3_650, 401, 400, 399, 0]);
    }
  });

  it('keeps a channel for the time that is set for it, and no other', () => {
    const all = kept([100, 30, 8, 7, 0]);
    const other = all.store.seriesId({ ...key, channel: 1 });
    write({ ...all, id: other }, [nowMs - 100 * dayMs]);
    const exceptions = [{ ...key, raw_days: 7, rollup_days: 30 }];
    for (const _ of deleteOld(all.db, { exceptions, now_ms: nowMs })) continue;
    expect(daysIn(all, `(SELECT * FROM sample WHERE series_id = ${all.id})`, 'time_ms')).toEqual([7, 0]);
    expect(daysIn(all, `(SELECT * FROM rollup_day WHERE series_id = ${all.id})`, 'start_ms')).toEqual([30, 8, 7, 0]);
    expect(daysIn(all, `(SELECT * FROM sample WHERE series_id = ${other})`, 'time_ms')).toEqual([100]);
  });

  it('keeps why an output was switched as long as samples, and that it was ten years', () => {
    const all = kept([]);
    for (const days of [3_651, 401, 400, 0]) {
      const startMs = nowMs - days * dayMs;
      all.db.prepare('INSERT INTO state_interval VALUES (?, ?, ?, ?, ?)').run(all.id, startMs, startMs + 1, startMs, 0);
      all.db.prepare("INSERT INTO state_origin VALUES (?, ?, '{}')").run(all.id, startMs);
    }
    for (const _ of deleteOld(all.db, { exceptions: [], now_ms: nowMs })) continue;
    expect(daysIn(all, 'state_interval', 'start_ms')).toEqual([401, 400, 0]);
    expect(daysIn(all, 'state_origin', 'start_ms')).toEqual([400, 0]);
  });

  it('works in slices that cut no minute, and can be left off at any of them', () => {
    const all = kept([500, 499], 1_000);
    const slices = deleteOld(all.db, { exceptions: [], now_ms: nowMs });
    slices.next();
    const oldest = all.db.prepare<[], number>('SELECT min(time_ms) FROM sample').pluck().get() ?? 0;
    expect(oldest % 60_000).toBe(0);
    expect(all.db.prepare('SELECT count(*) FROM sample').pluck().get()).toBeGreaterThan(1_500);
    for (const _ of deleteOld(all.db, { exceptions: [], now_ms: nowMs })) continue;
    expect(all.db.prepare('SELECT count(*) FROM sample').pluck().get()).toBe(0);
  });

  it('leaves a minute alone whose samples are gone, and takes late ones of a minute that was never there', () => {
    const all = kept([500, 0], 3);
    for (const _ of deleteOld(all.db, { exceptions: [], now_ms: nowMs })) continue;
    const moment = nowMs - 500 * dayMs;
    write(all, [moment + 5_000, moment + 60_000]);
    expect(all.db.prepare('SELECT count FROM rollup_minute ORDER BY start_ms').pluck().all()).toEqual([3, 1, 3]);
    expect(all.db.prepare('SELECT time_ms FROM sample LIMIT 2').pluck().all()).toEqual([moment + 60_000, nowMs]);
  });

  it('keeps an interval that reaches into what is kept', () => {
    const all = kept([]);
    const insert = all.db.prepare('INSERT INTO state_interval VALUES (?, ?, ?, ?, ?)');
    const days = (count: number): number => nowMs - count * dayMs;
    insert.run(all.id, days(5_000), days(4_000), days(4_000), 100);
    insert.run(all.id, days(4_000), days(1), days(1), 0);
    insert.run(all.id, days(1), null, days(1), 100);
    for (const _ of deleteOld(all.db, { exceptions: [], now_ms: nowMs })) continue;
    expect(all.db.prepare('SELECT state FROM state_interval ORDER BY start_ms').pluck().all()).toEqual([0, 100]);
  });
});
