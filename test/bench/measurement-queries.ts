import { join } from 'node:path';
import { measurementsMigrations } from '../../server/db/migrations/measurements.ts';
import { openDatabase, type Database } from '../../server/db/open.ts';
import type { MeasurementReader, TrendRequest } from '../../server/measurement/reader.ts';
import { openMeasurementReader } from '../../server/measurement/sqlite/reader.ts';
import { openMeasurementWriter } from '../../server/measurement/sqlite/writer.ts';
import { freshDataDirectory, removeDataDirectory } from '../support/running-service.ts';
import { startInflux, type Influx } from './influx.ts';

interface Figure {
  what: string;
  value: string;
}

const isLong = process.env['TEST_SCALE'] === 'long';
/** Between two samples: as greenhouse computers log, or each 10 s as sensors speak. */
const period_ms = isLong ? 10_000 : 60_000;
const seriesCount = 8;
const runs = isLong ? 100 : 40;
const day_ms = 86_400_000;
const year_ms = 365 * day_ms;
const from_ms = Date.parse('2025-01-01T00:00:00.000Z');
const to_ms = from_ms + year_ms;
const ingested = 400_000;
const lineBatch = 5_000;

const device_id = '6a1f5c3e-0000-4000-8000-000000000001';
const measurementId = (index: number): string => `6a1f5c3e-0000-4000-8000-1000000000${String(index).padStart(2, '0')}`;
const names = Array.from({ length: seriesCount }, (_, index) => ({ device_id, measurement_id: measurementId(index) }));
const never = new AbortController().signal;

/** A day's wave with some noise that is the same in every run. */
const valueAt = (index: number, at: number): number =>
  Math.round((20 + index + 6 * Math.sin((at / 8640) * 2 * Math.PI) + (((at * 7919) % 1000) / 1000) * 2) * 100) / 100;

/** A year of eight series: how long trends, buckets and the newest value take, and the same work in InfluxDB beside it. */
export async function benchMeasurementQueries(): Promise<Figure[]> {
  const directory = freshDataDirectory();
  const file = join(directory, 'measurements.db');
  const influx = await startInflux();
  if (influx === null) console.error('InfluxDB is NOT compared: influxd is not installed');
  try {
    const db = openDatabase(file, { migrations: measurementsMigrations });
    fill(db);
    db.close();
    if (influx) await fillInflux(influx);
    return [...(await benchQueries(file, influx)), ...(await benchIngest(influx))];
  } finally {
    influx?.stop();
    removeDataDirectory(directory);
  }
}

/** By SQL alone, rollups from below: the writer's own speed is measured elsewhere. */
function fill(db: Database): void {
  db.pragma('synchronous = OFF');
  db.function('bench_value', { deterministic: true }, (index: unknown, at: unknown) =>
    valueAt(Number(index), Number(at)),
  );
  const insert = db.prepare("INSERT INTO series (device_id, measurement_id, channel, unit) VALUES (?, ?, 0, 'C')");
  for (const [index, name] of names.entries()) {
    const { lastInsertRowid: id } = insert.run(name.device_id, name.measurement_id);
    db.prepare(
      `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < @count)
       INSERT INTO sample SELECT @id, @from_ms + i * @period_ms, bench_value(@index, i), 0 FROM n`,
    ).run({ id, index, from_ms, period_ms, count: year_ms / period_ms });
  }
  rollUp(db, {
    table: 'rollup_minute',
    width: 60_000,
    from: 'sample',
    columns: ['time_ms', '1', ...Array<string>(3).fill('value')],
  });
  for (const [table, width, from] of [
    ['rollup_quarter', 900_000, 'rollup_minute'],
    ['rollup_day', day_ms, 'rollup_quarter'],
  ] as const) {
    rollUp(db, { table, width, from, columns: ['start_ms', 'count', 'sum', 'min', 'max'] });
  }
  db.exec('ANALYZE');
}

interface RollUp {
  table: string;
  width: number;
  from: string;
  columns: readonly string[];
}

/** What the first and the last value are is of no matter to the time that a query takes. */
function rollUp(db: Database, { table, width, from, columns: [time, count, sum, min, max] }: RollUp): void {
  db.exec(
    `INSERT INTO ${table}
     SELECT series_id, ${time} - ${time} % ${width} AS bucket, sum(${count}), sum(${sum}), min(${min}), max(${max}),
       min(${time}), min(${min}), max(${time}), max(${max})
     FROM ${from} GROUP BY series_id, bucket`,
  );
}

async function fillInflux(influx: Influx): Promise<void> {
  const count = year_ms / period_ms;
  for (let at = 0; at < count; at += lineBatch) {
    const length = Math.min(lineBatch, count - at);
    const lines = names.flatMap((_, index) =>
      Array.from({ length }, (__, step) => lineOf('year', index, at + step, from_ms + (at + step) * period_ms)),
    );
    await influx.write(lines);
  }
}

function lineOf(measurement: string, index: number, at: number, time_ms: number): string {
  return `${measurement},channel=${index} value=${valueAt(index, at)} ${time_ms}`;
}

async function benchQueries(file: string, influx: Influx | null): Promise<Figure[]> {
  const before_mb = process.memoryUsage.rss() / 2 ** 20;
  const reader = openMeasurementReader(file);
  const trend = (length_ms: number) => () => reader.trend(trendRequest(length_ms), never);
  const grouped = (length_ms: number) => () =>
    influx?.query(
      `SELECT first(value), min(value), max(value), last(value) FROM year
       WHERE time >= ${to_ms - length_ms}ms AND time < ${to_ms}ms GROUP BY time(${Math.round(length_ms / 500)}ms), channel fill(none)`,
    );
  const daily = (): unknown =>
    influx?.query(
      `SELECT mean(value) FROM year WHERE time >= ${from_ms}ms AND time < ${to_ms}ms GROUP BY time(1d), channel`,
    );
  const newest = (): unknown => influx?.query("SELECT last(value) FROM year WHERE channel = '3'");
  const rows: [what: string, ours: () => unknown, theirs: () => unknown][] = [
    ['trend of eight series over a year (of days)', trend(year_ms), grouped(year_ms)],
    ['trend over 199 days (of quarters of an hour)', trend(199 * day_ms), grouped(199 * day_ms)],
    ['trend over a day', trend(day_ms), grouped(day_ms)],
    ['daily means of eight series over a year', () => dailyMeans(reader), daily],
    ['newest value of a series', () => reader.last({ device_id, measurement_id: measurementId(3) }), newest],
  ];
  const figures: Figure[] = [];
  for (const [what, ours, theirs] of rows) {
    figures.push(compared(what, await timed(ours, runs), influx && (await timed(theirs, 3))));
  }
  const memory = `${Math.round(process.memoryUsage.rss() / 2 ** 20 - before_mb)} MB`;
  figures.push({
    what: '… memory that the reader has taken',
    value: influx ? `${memory}; influxd in all ${Math.round(influx.residentMb())} MB` : memory,
  });
  await reader.close();
  return figures;
}

function trendRequest(length_ms: number): TrendRequest {
  const series = names.map((name) => ({ ...name, configured: null, gap_ms: 3 * period_ms }));
  return { series, from_ms: to_ms - length_ms, to_ms, max_points: 2000, is_single: false };
}

function dailyMeans(reader: MeasurementReader): Promise<Buffer> {
  const series = names.map((name) => ({ ...name, configured: null }));
  const request = { series, from_ms, to_ms, bucket: 'day', time_zone: 'Asia/Seoul', aggregates: ['mean'] } as const;
  return reader.aggregate(request, never);
}

interface Times {
  p50_ms: number;
  p95_ms: number;
}

async function timed(work: () => unknown, count: number): Promise<Times> {
  await work(); // what is read first is not in memory yet
  const times: number[] = [];
  for (let run = 0; run < count; run += 1) {
    const from = performance.now();
    await work();
    times.push(performance.now() - from);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(count - 1, Math.floor(count * share))] ?? NaN;
  return { p50_ms: at(0.5), p95_ms: at(0.95) };
}

function compared(what: string, ours: Times, theirs: Times | null): Figure {
  const figure = `${ours.p50_ms.toFixed(1)} ms, p95 ${ours.p95_ms.toFixed(1)} ms`;
  if (theirs === null) return { what, value: figure };
  const ratio = theirs.p50_ms / ours.p50_ms;
  return { what, value: `${figure}; InfluxDB ${theirs.p50_ms.toFixed(1)} ms (${ratio.toFixed(1)} times ours)` };
}

/** The same samples through the writer and by line protocol, each durable before the next batch. */
async function benchIngest(influx: Influx | null): Promise<Figure[]> {
  const directory = freshDataDirectory();
  const file = join(directory, 'measurements.db');
  openDatabase(file, { migrations: measurementsMigrations }).close();
  const writer = openMeasurementWriter(file);
  const moments = Array.from({ length: ingested / seriesCount }, (_, at) => at);
  const batches = Array.from({ length: ingested / lineBatch }, (_, batch) =>
    moments.slice((batch * lineBatch) / seriesCount, ((batch + 1) * lineBatch) / seriesCount),
  );
  const rate = async (write: (moments: readonly number[]) => Promise<void>): Promise<number> => {
    const from = performance.now();
    for (const batch of batches) await write(batch);
    return ingested / ((performance.now() - from) / 1000);
  };
  const ours = await rate((batch) =>
    writer.write(
      batch.flatMap((at) =>
        names.map((name, index) => ({
          ...{ ...name, channel: 0, unit: 'C', quality: 'good' as const },
          ...{ value: valueAt(index, at), time_ms: to_ms + at * 1000 },
        })),
      ),
    ),
  );
  await writer.close();
  removeDataDirectory(directory);
  const what = `samples stored durably, one batch of ${lineBatch} after the other`;
  if (influx === null) return [{ what, value: `${Math.round(ours)} samples/s` }];
  const theirs = await rate((batch) => {
    return influx.write(batch.flatMap((at) => names.map((_, index) => lineOf('ingest', index, at, to_ms + at * 1000))));
  });
  return [
    {
      what,
      value: `${Math.round(ours)} samples/s; InfluxDB ${Math.round(theirs)} (${(theirs / ours).toFixed(1)} times ours)`,
    },
  ];
}
