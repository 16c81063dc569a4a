import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { turnDirections } from '../../../server/measurement/sqlite/directions.ts';
import { openMeasurementReader } from '../../../server/measurement/sqlite/reader.ts';
import { openMeasurementWriter } from '../../../server/measurement/sqlite/writer.ts';
import { SampleStore } from '../../../server/measurement/sqlite/sample-store.ts';
import { testDatabase } from '../../support/database.ts';

const dayMs = 86_400_000;
const vane = { device_id: randomUUID(), measurement_id: randomUUID() };
/** Half an hour around north: 350, 10, 350, ... every ten seconds, of 40 days ago or so. */
const around = (fromMs: number) =>
  Array.from({ length: 180 }, (_, n) => ({
    ...vane,
    channel: 0,
    unit: 'deg',
    time_ms: fromMs + n * 10_000,
    value: n % 2 === 0 ? 350 : 10,
    quality: 'good' as const,
  }));
const apart = (one: number, other: number) => Math.abs(((one - other + 540) % 360) - 180);

it('averages directions as vectors in buckets, rollups and trends: 350 and 10 come to 0', async () => {
  const db = testDatabase('measurements');
  const writer = openMeasurementWriter(db.name);
  await writer.write(around(0));
  await writer.close();
  const reader = openMeasurementReader(db.name);
  const signal = AbortSignal.timeout(30_000);
  const series = { ...vane, configured: null };
  try {
    const asked = { from_ms: 0, to_ms: dayMs, series: [series], bucket: 'hour', time_zone: 'UTC' } as const;
    const buckets = await reader.aggregate({ ...asked, aggregates: ['mean', 'count'] }, signal);
    const { mean, count } = (JSON.parse(buckets.toString()) as { series: [Record<string, number[]>] }).series[0];
    expect(count?.[0]).toBe(180);
    expect(apart(mean?.[0] ?? NaN, 0)).toBeLessThan(1e-6);
    const shown = { max_points: 400, is_single: true, series: [{ ...series, gap_ms: 900_000 }] };
    const drawn = await reader.trend({ from_ms: 0, to_ms: 20 * dayMs, ...shown }, signal);
    const { resolution, values } = JSON.parse(drawn.toString()) as { resolution: string; values: number[] };
    expect(resolution).not.toBe('raw');
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) expect(apart(value, 0)).toBeLessThan(1e-6);
  } finally {
    await reader.close();
  }
});

it('gives rollups from before their sums, a few minutes at a time, from samples or from what is left', async () => {
  const db = testDatabase('measurements');
  const writer = openMeasurementWriter(db.name);
  for (const day of [0, 1]) await writer.write(around(day * dayMs));
  await writer.close();
  const levels = ['minute', 'quarter', 'day'];
  for (const level of levels) db.exec(`UPDATE rollup_${level} SET sin_sum = NULL, cos_sum = NULL`);
  db.exec(`DELETE FROM sample WHERE time_ms < ${dayMs}`);
  const before = db.prepare('SELECT start_ms, count, sum, min, max FROM rollup_day').all();
  const store = new SampleStore(db, () => 0);
  const steps = [...turnDirections(db, store)];
  expect(steps.length).toBeGreaterThanOrEqual(4); // 30 minutes a day, at most 15 at once
  for (const level of levels) {
    const rows = db
      .prepare<[], { sin_sum: number | null; cos_sum: number | null }>(`SELECT sin_sum, cos_sum FROM rollup_${level}`)
      .all();
    for (const { sin_sum, cos_sum } of rows) {
      expect(apart((Math.atan2(sin_sum ?? NaN, cos_sum ?? NaN) * 180) / Math.PI, 0)).toBeLessThan(1e-6);
    }
  }
  expect(db.prepare('SELECT start_ms, count, sum, min, max FROM rollup_day').all()).toEqual(before);
  expect([...turnDirections(db, store)]).toEqual([]);
});
