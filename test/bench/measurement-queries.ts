import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { measurementsMigrations } from '../../server/db/migrations/measurements.ts';
import { openDatabase, type Database } from '../../server/db/open.ts';
import type { MeasurementReader, TrendRequest } from '../../server/measurement/reader.ts';
import { openMeasurementReader } from '../../server/measurement/sqlite/reader.ts';
import { openMeasurementWriter } from '../../server/measurement/sqlite/writer.ts';
import type { Sample } from '../../server/measurement/store.ts';
import { freshDataDirectory, removeDataDirectory } from '../support/running-service.ts';
import { median, type Figure } from './figure.ts';
import { startInflux, type Influx } from '../support/influx.ts';
import { bytesASample } from './samples.ts';

const isLong = process.env['TEST_SCALE'] === 'long';
/** Between two samples: as greenhouse computers log, or each 10 s as sensors speak. */
const periodMs = isLong ? 10_000 : 60_000;
const seriesCount = 8;
const runs = isLong ? 100 : 40;
const influxRuns = 3;
const dayMs = 86_400_000;
const yearMs = 365 * dayMs;
const fromMs = Date.parse('2025-01-01T00:00:00.000Z');
const toMs = fromMs + yearMs;
const ingested = 200_000;
const ingestRuns = 5;
/** As many as the writer takes at once: with fewer it waits for others to come. */
const lineBatch = 10_000;

const device_id = '6a1f5c3e-0000-4000-8000-000000000001';
const measurementId = (index: number): string => `6a1f5c3e-0000-4000-8000-1000000000${String(index).padStart(2, '0')}`;
const names = Array.from({ length: seriesCount }, (_, index) => ({ device_id, measurement_id: measurementId(index) }));
const never = new AbortController().signal;

/** A day's wave with some noise that is the same in every run. */
const valueAt = (index: number, at: number): number =>
  Math.round((20 + index + 6 * Math.sin((at / 8640) * 2 * Math.PI) + (((at * 7919) % 1000) / 1000) * 2) * 100) / 100;

/**
 * A year of eight series: how long trends, buckets and the newest value take, and the same work in InfluxDB beside it.
 */
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
    ).run({ id, index, from_ms: fromMs, period_ms: periodMs, count: yearMs / periodMs });
  }
  rollUp(db, {
    table: 'rollup_minute',
    width: 60_000,
    from: 'sample',
    columns: ['time_ms', '1', ...Array<string>(3).fill('value')],
  });
  for (const [table, width, from] of [
    ['rollup_quarter', 900_000, 'rollup_minute'],
    ['rollup_day', dayMs, 'rollup_quarter'],
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
    `INSERT INTO ${table} (series_id, start_ms, count, sum, min, max, first_ms, first, last_ms, last)
     SELECT series_id, ${time} - ${time} % ${width} AS bucket, sum(${count}), sum(${sum}), min(${min}), max(${max}),
       min(${time}), min(${min}), max(${time}), max(${max})
     FROM ${from} GROUP BY series_id, bucket`,
  );
}

async function fillInflux(influx: Influx): Promise<void> {
  const count = yearMs / periodMs;
  for (let at = 0; at < count; at += lineBatch) {
    const length = Math.min(lineBatch, count - at);
    const lines = names.flatMap((_, index) =>
      Array.from({ length }, (__, step) => lineOf('year', index, at + step, fromMs + (at + step) * periodMs)),
    );
    await influx.write(lines);
  }
}

function lineOf(measurement: string, index: number, at: number, timeMs: number): string {
  return `${measurement},channel=${index} value=${valueAt(index, at)} ${timeMs}`;
}

type Compared = [what: string, ours: () => unknown, theirs: () => unknown];

/**
 * Read from days, quarters of an hour, minutes and samples; 199 days are the most quarters, 49 hours the most minutes.
 */
export const trendSpans: readonly [what: string, days: number][] = [
  ['trend of eight series over a year', 365],
  ['… trend over 199 days', 199],
  ['… trend over 60 days', 60],
  ['… trend over a week', 7],
  ['… trend over 49 hours', 49 / 24],
  ['… trend over a day', 1],
  ['… trend over three hours', 3 / 24],
];

async function benchQueries(file: string, influx: Influx | null): Promise<Figure[]> {
  const reader = openMeasurementReader(file);
  const trend = (lengthMs: number) => () => reader.trend(trendRequest(lengthMs), never);
  const grouped = (lengthMs: number) => () =>
    influx?.query(
      `SELECT first(value), min(value), max(value), last(value) FROM year
       WHERE time >= ${toMs - lengthMs}ms AND time < ${toMs}ms GROUP BY time(${Math.round(lengthMs / 500)}ms), channel fill(none)`,
    );
  const daily = (): unknown =>
    influx?.query(
      `SELECT mean(value) FROM year WHERE time >= ${fromMs}ms AND time < ${toMs}ms GROUP BY time(1d), channel`,
    );
  const newest = (): unknown => influx?.query("SELECT last(value) FROM year WHERE channel = '3'");
  const rows: Compared[] = [
    ...trendSpans.map(([what, days]): Compared => [what, trend(days * dayMs), grouped(days * dayMs)]),
    ['daily means of eight series over a year', () => dailyMeans(reader), daily],
    ['newest value of a series', () => reader.last({ device_id, measurement_id: measurementId(3) }), newest],
  ];
  const figures: Figure[] = [];
  const slowest = { what: '', p95_ms: 0 };
  for (const [what, ours, theirs] of rows) {
    const times = await timed(ours, runs);
    if (what.includes('trend') && times.p95_ms > slowest.p95_ms) Object.assign(slowest, { ...times, what });
    figures.push(compared(what, times, influx && (await timed(theirs, influxRuns))));
  }
  figures.push({ what: '… slowest p95 of these trends', value: `${slowest.p95_ms.toFixed(1)} ms (${slowest.what})` });
  figures.push(onDisk(file, influx));
  const memory = `${Math.round(await readerMemory(file))} MB`;
  figures.push({
    what: '… memory that a reader takes for these trends',
    value: influx ? `${memory}; influxd in all ${Math.round(influx.residentMb())} MB` : memory,
  });
  await reader.close();
  return figures;
}

function onDisk(file: string, influx: Influx | null): Figure {
  const { bytes_a_sample, bytes_with_rollups } = bytesASample(file);
  const ours = `${bytes_a_sample.toFixed(1)} bytes a sample, ${bytes_with_rollups.toFixed(1)} with rollups`;
  const theirs = (influx?.bytes() ?? 0) / ((seriesCount * yearMs) / periodMs);
  const what = `… that year on disk, a sample each ${periodMs / 1000} s`;
  return { what, value: influx ? `${ours}; InfluxDB ${theirs.toFixed(1)} without` : ours };
}

export function trendRequest(lengthMs: number): TrendRequest {
  const series = names.map((name) => ({ ...name, configured: null, gap_ms: 3 * periodMs }));
  return { series, from_ms: toMs - lengthMs, to_ms: toMs, max_points: 2000, is_single: false };
}

/** In a process of its own, for this one has held other things before. */
async function readerMemory(file: string): Promise<number> {
  const child = fork(new URL('./reader-memory.ts', import.meta.url), [file], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [taken_mb] = (await once(child, 'message')) as [number]; // what the child sends
  return taken_mb;
}

function dailyMeans(reader: MeasurementReader): Promise<Buffer> {
  const series = names.map((name) => ({ ...name, configured: null }));
  const request = {
    series,
    from_ms: fromMs,
    to_ms: toMs,
    bucket: 'day',
    time_zone: 'Asia/Seoul',
    aggregates: ['mean'],
  } as const;
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

/** The same samples through the writer and by line protocol, each batch durable before the next, by turns. */
async function benchIngest(influx: Influx | null): Promise<Figure[]> {
  const directory = freshDataDirectory();
  const file = join(directory, 'measurements.db');
  openDatabase(file, { migrations: measurementsMigrations }).close();
  const writer = openMeasurementWriter(file);
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let run = 0; run < ingestRuns; run += 1) {
    const batches = batchesOf(run);
    ours.push(await rateOf(batches, (batch) => writer.write(batch.flatMap(samplesAt))));
    if (influx) theirs.push(await rateOf(batches, (batch) => influx.write(batch.flatMap(linesAt))));
  }
  await writer.close();
  removeDataDirectory(directory);
  const what = `samples stored durably, one batch of ${lineBatch} after the other, median of ${ingestRuns}`;
  const [our, their] = [median(ours), median(theirs)];
  const compared = `; InfluxDB ${Math.round(their)} (${(their / our).toFixed(1)} times ours)`;
  return [{ what, value: `${Math.round(our)} samples/s${influx ? compared : ''}` }];
}

/** Numbers of moments, one a second, at each of which every series has a sample. */
function batchesOf(run: number): number[][] {
  const momentsABatch = lineBatch / seriesCount;
  return Array.from({ length: ingested / lineBatch }, (_, batch) => {
    const first = (run * ingested) / seriesCount + batch * momentsABatch;
    return Array.from({ length: momentsABatch }, (__, at) => first + at);
  });
}

async function rateOf(
  batches: readonly number[][],
  write: (batch: readonly number[]) => Promise<void>,
): Promise<number> {
  const from = performance.now();
  for (const batch of batches) await write(batch);
  return ingested / ((performance.now() - from) / 1000);
}

function samplesAt(at: number): Sample[] {
  const told = { channel: 0, unit: 'C', quality: 'good' as const, time_ms: toMs + at * 1000 };
  return names.map((name, index) => ({ ...name, ...told, value: valueAt(index, at) }));
}

function linesAt(at: number): string[] {
  return names.map((_, index) => lineOf('ingest', index, at, toMs + at * 1000));
}
