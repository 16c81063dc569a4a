import { renameSync, rmSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Aggregated, Trend } from '../../../server/contract/measurement-query.ts';
import type { Database } from '../../../server/db/open.ts';
import type { AggregateRequest, MeasurementReader, TrendRequest } from '../../../server/measurement/reader.ts';
import { flagOf } from '../../../server/measurement/sqlite/cancelling.ts';
import { FollowedFile } from '../../../server/measurement/sqlite/followed-file.ts';
import { readTasks } from '../../../server/measurement/sqlite/read-tasks.ts';
import { openMeasurementReader } from '../../../server/measurement/sqlite/reader.ts';
import { testDatabase } from '../../support/database.ts';
import { fillRollups } from '../../support/rollups.ts';

const isLong = process.env['TEST_SCALE'] === 'long';
const device_id = '6a1f5c3e-0000-4000-8000-000000000001';
const measurement_id = '6a1f5c3e-0000-4000-8000-000000000002';
const name = { device_id, measurement_id };
const dayMs = 86_400_000;
const never = new AbortController().signal;

type Row = readonly [time_ms: number, value: number | null, quality?: number];

function store(rows: readonly Row[], unit = 'C', db: Database = testDatabase('measurements')): Database {
  const id = db
    .prepare('INSERT INTO series (device_id, measurement_id, channel, unit) VALUES (?, ?, 3, ?)')
    .run(device_id, measurement_id, unit).lastInsertRowid;
  const insert = db.prepare('INSERT INTO sample VALUES (?, ?, ?, ?)');
  db.transaction(() => {
    for (const [time_ms, value, quality = 0] of rows) insert.run(id, time_ms, value, quality);
  })();
  return db;
}

function reading(db: Database): MeasurementReader {
  const reader = openMeasurementReader(db.name);
  onTestFinished(() => reader.close());
  return reader;
}

async function trend(reader: MeasurementReader, asked: Partial<TrendRequest> = {}, signal = never): Promise<Trend> {
  const series = [{ ...name, configured: null, gap_ms: 10_000 }];
  const request = { series, from_ms: 0, to_ms: 100_000, max_points: 2000, is_single: true, ...asked };
  return JSON.parse((await reader.trend(request, signal)).toString()) as Trend; // the reader's own
}

const request: AggregateRequest = {
  series: [{ ...name, configured: null }],
  from_ms: 0,
  to_ms: dayMs,
  bucket: 'hour',
  time_zone: 'UTC',
  aggregates: ['count', 'sum', 'min', 'max', 'mean', 'first', 'last'],
};

async function aggregated(reader: MeasurementReader, asked: Partial<AggregateRequest> = {}): Promise<Aggregated> {
  return JSON.parse((await reader.aggregate({ ...request, ...asked }, never)).toString()) as Aggregated; // the reader's own
}

describe('a trend', () => {
  it('leaves out what is bad or no number, and breaks the line where the sensor was silent', async () => {
    const db = store([
      [1_000, 20],
      [2_000, null],
      [3_000, 99, 2],
      [4_000, 21, 1],
      [20_000, 22],
    ]);
    expect(await trend(reading(db))).toEqual({
      device_id,
      measurement_id,
      channel: 3,
      unit: 'C',
      resolution: 'raw',
      gap_s: 10,
      from: '1970-01-01T00:00:00.000Z',
      to: '1970-01-01T00:01:40.000Z',
      times: [1_000, 4_000, 12_000, 20_000],
      values: [20, 21, null, 22],
    });
  });

  it('begins with the span and ends before its end', async () => {
    const db = store([999, 1_000, 1_999, 2_000].map((timeMs) => [timeMs, timeMs]));
    expect((await trend(reading(db), { from_ms: 1_000, to_ms: 2_000 })).times).toEqual([1_000, 1_999]);
  });

  it('reads the series of the newest unit', async () => {
    const db = store([[1_000, 20]]);
    store([[2_000, 68]], 'F', db);
    expect(await trend(reading(db))).toMatchObject({ unit: 'F', values: [68] });
  });

  it('of what was never measured is empty where the configuration knows it, else refused', async () => {
    const reader = reading(testDatabase('measurements'));
    await expect(trend(reader)).rejects.toMatchObject({ code: 'not_found' });
    const configured = { channel: 1, unit: '%' };
    const series = [{ ...name, configured, gap_ms: 1 }];
    expect(await trend(reader, { series })).toMatchObject({ ...configured, times: [], values: [] });
    const many = JSON.parse(
      (
        await reader.trend(
          {
            series: [{ ...name, configured: null, gap_ms: 1 }],
            from_ms: 0,
            to_ms: 9,
            max_points: 9,
            is_single: false,
          },
          never,
        )
      ).toString(),
    ) as object;
    expect(many).toMatchObject({ series: [{ unit: null, times: [] }] });
  });

  it('of a long span is read from rollups, with the samples that are in none yet', async () => {
    const db = store(Array.from({ length: 3 * 1440 }, (_, minute) => [minute * 60_000, Math.sin(minute)]));
    fillRollups(db, { until_ms: 3 * dayMs - 120_000 });
    const found = await trend(reading(db), { from_ms: 30_000, to_ms: 3 * dayMs, max_points: 200 });
    expect(found).toMatchObject({ resolution: 'quarter', from: '1970-01-01T00:00:00.000Z' });
    expect([found.times[0], found.times.at(-1)]).toEqual([0, 3 * dayMs - 60_000]);
    expect(Math.max(...found.values.map(Number))).toBeCloseTo(1, 4);
    expect(found.times.length).toBeLessThanOrEqual(200);
  });

  it('is read from a rollup where retention has given the samples up', async () => {
    const db = store(Array.from({ length: 600 }, (_, second) => [second * 1_000, second]));
    fillRollups(db);
    db.exec('DELETE FROM sample WHERE time_ms < 300000');
    expect(await trend(reading(db), { to_ms: 600_000 })).toMatchObject({ resolution: 'minute' });
    expect(await trend(reading(db), { from_ms: 300_000, to_ms: 600_000 })).toMatchObject({ resolution: 'raw' });
  });

  it('is given up between two chunks when nobody waits any more', async () => {
    const reader = reading(store(Array.from({ length: 50 }, (_, second) => [second * 1_000, second])));
    await expect(trend(reader, {}, AbortSignal.abort())).rejects.toMatchObject({ code: 'not_available' });
    const going = new AbortController();
    const asked = Array.from({ length: 20 }, () => trend(reader, {}, going.signal));
    going.abort();
    const ended = await Promise.allSettled(asked);
    expect(ended.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'not_available' } });
  });
});

describe('aggregation', () => {
  it('puts what was measured into the days of the zone', async () => {
    const db = store([
      [14 * 3_600_000, 1],
      [15 * 3_600_000, 4], // midnight in Seoul
      [16 * 3_600_000, 2],
    ]);
    fillRollups(db);
    expect(await aggregated(reading(db), { bucket: 'day', time_zone: 'Asia/Seoul' })).toEqual({
      bucket: 'day',
      time_zone: 'Asia/Seoul',
      times: [-9 * 3_600_000, 15 * 3_600_000],
      series: [
        {
          device_id,
          measurement_id,
          channel: 3,
          unit: 'C',
          count: [1, 2],
          sum: [1, 6],
          min: [1, 2],
          max: [1, 4],
          mean: [1, 3],
          first: [1, 4],
          last: [1, 2],
        },
      ],
    });
  });

  it(
    'of random series with gaps, bad values and rollups that trail agrees with a plain recomputation',
    { timeout: 600_000 },
    () => {
      const waits = fc.oneof(
        { weight: 20, arbitrary: fc.integer({ min: 1, max: 90_000 }) },
        { weight: 1, arbitrary: fc.integer({ min: 1, max: dayMs }) },
      );
      const value = fc.option(fc.integer({ min: -1000, max: 1000 }), { freq: 20 });
      const step = fc.tuple(waits, value, fc.constantFrom(0, 0, 0, 0, 1, 2));
      const given = fc.record({
        steps: fc.array(step, { minLength: 1, maxLength: 400 }),
        bucket: fc.constantFrom('minute', 'quarter', 'hour', 'day', 'week', 'month'),
        time_zone: fc.constantFrom('UTC', 'Asia/Seoul', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu'),
        trailing_ms: fc.integer({ min: 0, max: 7_200_000 }),
      });
      fc.assert(
        fc.property(given, ({ steps, bucket, time_zone, trailing_ms }) => {
          const startMs = Date.parse('2026-03-27T10:00:00Z'); // Berlin changes its clocks on the 29th
          let timeMs = startMs;
          const rows = steps.map(([wait_ms, number, quality]) => [(timeMs += wait_ms), number, quality] as const);
          const db = store(rows);
          fillRollups(db, { until_ms: timeMs - trailing_ms });
          const file = new FollowedFile(db.name);
          const toMs = bucket === 'minute' ? Math.min(timeMs + 1, startMs + 120_000_000) : timeMs + 1;
          const asked = { ...request, from_ms: startMs, to_ms: toMs, bucket, time_zone };
          const { times, series } = JSON.parse(readTasks.aggregate(file, asked, flagOf(never))) as Aggregated;
          file.close();
          const [columns] = series;
          times.forEach((fromMs, index) => {
            const untilMs = times[index + 1] ?? (bucket === 'minute' ? fromMs + 60_000 : Infinity);
            const values = rows.flatMap(([at, number, quality]) =>
              at >= fromMs && at < untilMs && number !== null && quality < 2 ? [number] : [],
            );
            const sum = values.reduce((total, one) => total + one, 0);
            const isEmpty = values.length === 0;
            expect(columns?.count?.[index]).toBe(values.length);
            expect(columns?.sum?.[index]).toBe(isEmpty ? null : sum);
            expect(columns?.mean?.[index]).toBe(isEmpty ? null : sum / values.length);
            expect(columns?.min?.[index]).toBe(isEmpty ? null : Math.min(...values));
            expect(columns?.max?.[index]).toBe(isEmpty ? null : Math.max(...values));
            expect(columns?.first?.[index]).toBe(values[0] ?? null);
            expect(columns?.last?.[index]).toBe(values.at(-1) ?? null);
          });
        }),
        { numRuns: isLong ? 1000 : 30 },
      );
    },
  );
});

describe('the file', () => {
  it('that takes the place of a damaged one is read from then on', async () => {
    const db = store([[1_000, 1]]);
    const reader = reading(db);
    expect((await trend(reader)).values).toEqual([1]);
    const other = store([[1_000, 2]]);
    other.pragma('wal_checkpoint(TRUNCATE)');
    for (const end of ['-wal', '-shm']) rmSync(`${db.name}${end}`, { force: true });
    rmSync(db.name);
    await expect(trend(reader)).rejects.toMatchObject({ code: 'not_available' });
    renameSync(other.name, db.name);
    expect((await trend(reader)).values).toEqual([2]);
  });

  it('gives the newest value of a series, whatever its quality', async () => {
    const reader = reading(
      store([
        [1_000, 1],
        [2_000, null, 2],
      ]),
    );
    const expected = { ...name, channel: 3, unit: 'C', time_ms: 2_000, value: null, quality: 'bad' };
    expect(await reader.last(name)).toEqual(expected);
    expect(await reader.last({ ...name, measurement_id: device_id })).toBeNull();
  });
});

describe('an export', () => {
  it('has pages that take a few ms to write, also of many series that share no moment', async () => {
    const db = store([]);
    const names = Array.from({ length: 24 }, (_, nth) => ({
      device_id,
      measurement_id: `20000000-0000-4000-8000-0000000000${nth + 10}`,
    }));
    const insert = db.prepare('INSERT INTO sample VALUES (?, ?, 7, 0)');
    for (const [nth, { measurement_id }] of names.entries()) {
      const id = db
        .prepare("INSERT INTO series (device_id, measurement_id, channel, unit) VALUES (?, ?, 0, '%')")
        .run(device_id, measurement_id).lastInsertRowid;
      for (let line = 0; line < 200; line += 1) insert.run(id, line * 1_000 + nth);
    }
    const reader = reading(db);
    const beside = await reader.exportPage({ series: names, columns: 100, from_ms: 0, to_ms: 1e9 }, never);
    expect(beside.times).toHaveLength(200);
    const lines: number[] = [];
    for (let fromMs: number | null = 0; fromMs !== null;) {
      const page = await reader.exportPage({ series: names, from_ms: fromMs, to_ms: 1e9 }, never);
      expect(page.times.length * names.length).toBeLessThan(20_500);
      lines.push(...page.times);
      fromMs = page.next_ms;
    }
    expect(lines).toEqual([...new Set(lines)].toSorted((a, b) => a - b));
    expect(lines).toHaveLength(24 * 200);
  });

  it('joins series by their moments, in pages that leave out and repeat nothing', async () => {
    const db = store(Array.from({ length: 12_000 }, (_, second) => [second * 1_000, second]));
    const id = db
      .prepare("INSERT INTO series (device_id, measurement_id, channel, unit) VALUES (?, ?, 0, '%')")
      .run(device_id, device_id).lastInsertRowid;
    for (const timeMs of [500, 1_000, 11_999_000]) db.prepare('INSERT INTO sample VALUES (?, ?, 7, 0)').run(id, timeMs);
    const reader = reading(db);
    const series = [name, { device_id, measurement_id: device_id }];
    const times: number[] = [];
    const second: (number | null)[] = [];
    let pages = 0;
    for (let fromMs: number | null = 0; fromMs !== null; pages += 1) {
      const page = await reader.exportPage({ series, from_ms: fromMs, to_ms: 1e9 }, never);
      times.push(...page.times);
      second.push(...(page.values[1] ?? []));
      fromMs = page.next_ms;
    }
    expect([times.length, new Set(times).size, pages]).toEqual([12_001, 12_001, 3]);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.filter((_, index) => second[index] === 7)).toEqual([500, 1_000, 11_999_000]);
  });
});
