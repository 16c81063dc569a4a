import { fork } from 'node:child_process';
import { join } from 'node:path';
import { measurementsMigrations } from '../../server/db/migrations/measurements.ts';
import { openDatabase } from '../../server/db/open.ts';
import { openMeasurementWriter } from '../../server/measurement/sqlite/writer.ts';
import type { Sample } from '../../server/measurement/store.ts';
import type { Input } from '../../server/contract/input.ts';
import { freshDataDirectory, removeDataDirectory } from '../support/running-service.ts';
import type { ServiceClient } from '../support/service-client.ts';

/** Samples come by rounds: each channel once. */
interface Ingest {
  channels: number;
  rounds: number;
  period_ms: number;
}

export interface IngestTimes {
  /** Durable, with their rollups, in each of the runs. */
  rates: number[];
  bytes_a_sample: number;
  bytes_with_rollups: number;
}

const fromMs = Date.parse('2026-03-01T00:00:00.000Z');
const runs = 5;

/** Writes rounds of samples as fast as they become durable, in a file of its own. The first run warms up. */
export async function timeIngest(ingest: Ingest): Promise<IngestTimes> {
  const directory = freshDataDirectory();
  const file = join(directory, 'measurements.db');
  openDatabase(file, { migrations: measurementsMigrations }).close();
  const writer = openMeasurementWriter(file);
  const rates: number[] = [];
  for (let run = 0; run <= runs; run += 1) {
    const from = performance.now();
    const writes = Array.from({ length: ingest.rounds }, (_, round) =>
      writer.write(roundOf(ingest, run * ingest.rounds + round)),
    );
    await Promise.all(writes);
    const rate = (ingest.channels * ingest.rounds) / ((performance.now() - from) / 1000);
    if (run > 0) rates.push(rate);
  }
  await writer.close();
  const sizes = { rates, ...bytesASample(file) };
  removeDataDirectory(directory);
  return sizes;
}

function roundOf({ channels, period_ms }: Ingest, round: number): Sample[] {
  return Array.from({ length: channels }, (_, sensor) => ({
    device_id: `00000000-0000-4000-8000-${String(sensor).padStart(12, '0')}`,
    measurement_id: '00000000-0000-4000-8000-000000000000',
    channel: 0,
    unit: 'C',
    quality: 'good',
    value: Math.sin(round / 100) * 10 + sensor / 7,
    time_ms: fromMs + round * period_ms + sensor,
  }));
}

/** What a sample takes in its table, and with the share of all other tables. */
export function bytesASample(file: string): Pick<IngestTimes, 'bytes_a_sample' | 'bytes_with_rollups'> {
  const db = openDatabase(file, { readonly: true });
  const bytesOf = (like: string): number =>
    Number(db.prepare('SELECT sum(pgsize) FROM dbstat WHERE name LIKE ?').pluck().get(like));
  const count = Number(db.prepare('SELECT count(*) FROM sample').pluck().get());
  const bytes = { bytes_a_sample: bytesOf('sample') / count, bytes_with_rollups: bytesOf('%') / count };
  db.close();
  return bytes;
}

/**
 * Does work while another process writes 5,000 samples a second to the same disk; they are flowing when it begins. It
 * hears the process id.
 */
export async function whileIngesting<T>(work: (pid: number | undefined) => Promise<T>): Promise<T> {
  const directory = freshDataDirectory();
  const file = join(directory, 'measurements.db');
  const child = fork(new URL('./ingest-rate.ts', import.meta.url), [file], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    await new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', () => reject(new Error('nothing was written')));
    });
    return await work(child.pid);
  } finally {
    child.kill('SIGKILL');
    await ended;
    removeDataDirectory(directory);
  }
}

/** Weather stations of six channels, ten times a second: 5,040 samples a second. */
const stations = 84;
const house = '00000000-0000-4000-8000-0000000000ff';

/** Does work while the service measures 5,000 samples a second itself; they are flowing when it begins. */
export async function measureFast(client: ServiceClient, work: () => Promise<void>): Promise<void> {
  const body = { driver: 'simulated', options: { part: 'weather', house }, period_s: 0.1 };
  const made: Input[] = [];
  for (let station = 0; station < stations; station += 1) {
    made.push(
      (await client.ask('POST', '/api/settings/inputs', { ...body, name: `Station ${station}` })).body as Input,
    );
  }
  const [{ unique_id, channels } = { unique_id: '', channels: [] }] = made.slice(-1);
  const series = `device_id=${unique_id}&measurement_id=${channels[0]?.measurement_id ?? ''}`;
  for (;;) {
    const answer = await client.ask('GET', `/api/measurements/last?${series}`);
    if ((answer.body as { last: unknown }).last !== null) break;
  }
  try {
    await work();
  } finally {
    for (const input of made) await client.ask('DELETE', `/api/settings/inputs/${input.unique_id}`);
  }
}
