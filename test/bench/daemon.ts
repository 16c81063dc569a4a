import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Input } from '../../server/contract/input.ts';
import type { Output } from '../../server/contract/output.ts';
import { ForkLauncher } from '../../server/supervision/launcher.ts';
import { controlMigrations } from '../../server/db/migrations/control.ts';
import { measurementsMigrations } from '../../server/db/migrations/measurements.ts';
import { orangeryMigrations } from '../../server/db/migrations/orangery.ts';
import { openDatabase } from '../../server/db/open.ts';
import { InputRepository } from '../../server/db/repositories/input.ts';
import { OutputRepository } from '../../server/db/repositories/output.ts';
import { keepSecretFile } from '../../server/db/secret-file.ts';
import { DaemonControl } from '../../server/orangery_client.ts';
import { freshDataDirectory, removeDataDirectory } from '../support/running-service.ts';
import { startCoils } from './coils.ts';
import { spread, type Figure } from './figure.ts';
import { residentMb } from './resident.ts';

const entry = join(import.meta.dirname, '../../dist/main/daemon.js');
const outputCount = 200;
const inputCount = 500;
/** Each of these inputs has six channels: 5,004 samples a second. */
const denseInputCount = 834;
const starts = 5;
const commands = 300;
const restMs = 30_000;
const lateMs = 20_000;

const idOf = (kind: number, number: number): string =>
  `00000000-0000-4000-8000-${String(kind)}${String(number).padStart(11, '0')}`;
const fastId = idOf(9, 1);

function simulatedInput(unique_id: string, period_s: number, change: Partial<Input> = {}, channels = 1): Input {
  return {
    ...{ unique_id, name: 'sensor', driver: 'simulated', options: {}, period_s, start_offset_s: 0 },
    ...{ pre_output: null, power_output: null, is_activated: true },
    channels: Array.from({ length: channels }, (_, channel) => ({
      ...{ channel, name: 'value', measurement_id: randomUUID(), measurement: 'temperature', unit: 'C' },
      ...{ is_enabled: true, scale: null, raw_unit: null },
      ...{ plausible_min: null, plausible_max: null, max_rate_per_min: null },
    })),
    ...change,
  };
}

function switchOf(number: number, change: Partial<Output> = {}): Output {
  return {
    ...{ unique_id: idOf(8, number), name: 'switch', driver: 'simulated', options: {}, is_activated: true },
    channels: [
      {
        ...{
          channel: 0,
          name: 'switch',
          kind: 'switch',
          safe_state: 'off',
          startup_state: 'safe',
          shutdown_state: 'safe',
        },
        ...{ min_off_s: 0, max_on_s: null, current_a: null, flow_ml_s: null, pwm_cycle_s: null, pwm_min_on_s: 1 },
      },
    ],
    ...change,
  };
}

/** A data directory as the service leaves it, with these devices. */
function siteOf(inputs: readonly Input[], outputs: readonly Output[]): string {
  const directory = freshDataDirectory();
  openDatabase(join(directory, 'control.db'), { migrations: controlMigrations }).close();
  openDatabase(join(directory, 'measurements.db'), { migrations: measurementsMigrations }).close();
  const database = openDatabase(join(directory, 'orangery.db'), { migrations: orangeryMigrations });
  database.transaction(() => {
    for (const input of inputs) new InputRepository(database).insert(input);
    for (const output of outputs) new OutputRepository(database).insert(output);
  })();
  database.close();
  return directory;
}

interface Running {
  pid: number | undefined;
  control: DaemonControl;
  /** From the command to the word that it serves, ms. */
  startedMs: number;
  /** From SIGTERM to its end, ms. */
  stop(): Promise<number>;
}

/** The built daemon, started as the service starts it. */
async function startDaemon(dataDirectory: string): Promise<Running> {
  const from = performance.now();
  const daemon = new ForkLauncher(entry).launch({ dataDirectory, port: 0, linger_s: 0 });
  const ended = new Promise<void>((resolve) => daemon.onExit(() => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    daemon.onMessage((message) => {
      if (message.kind === 'ready') resolve(message.port);
    });
    daemon.onExit((code) => reject(new Error(`the daemon ended with ${code}`)));
  });
  const startedMs = performance.now() - from;
  const control = new DaemonControl({
    pyro_uri: `PYRO:orangery.pyro_server@127.0.0.1:${port}`,
    pyro_handshake: keepSecretFile(join(dataDirectory, 'daemon.token')),
  });
  const stop = async (): Promise<number> => {
    control.close();
    const asked = performance.now();
    daemon.terminate();
    await ended;
    return performance.now() - asked;
  };
  return { pid: daemon.pid, control, startedMs, stop };
}

/** Of all its threads since it started, s; the kernel counts in hundredths (proc(5), fields 14 and 15). */
function processorS(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

async function timeCommands({ control }: Running, arrivals: number[], output_id: string): Promise<number[]> {
  const times: number[] = [];
  for (let sent = 0; sent < commands; sent += 1) {
    arrivals.length = 0;
    const from = performance.now();
    await control.output_command({ output_id, state: sent % 2 === 0 });
    times.push((arrivals[0] ?? NaN) - from);
    await pause(20);
  }
  return times;
}

async function benchRest(): Promise<Figure[]> {
  const coils = await startCoils();
  const wired = switchOf(outputCount, {
    driver: 'modbus',
    options: {
      ...{ host: '127.0.0.1', port: coils.port },
      registers: [{ channel: 0, table: 'coil', address: 0, readback: false }],
    },
  });
  const switches = Array.from({ length: outputCount - 1 }, (_, number) => switchOf(number));
  const sensors = Array.from({ length: inputCount }, (_, number) => simulatedInput(idOf(7, number), 1));
  const directory = siteOf(sensors, [...switches, wired]);
  const started: number[] = [];
  const stopped: number[] = [];
  for (let run = 0; run < starts; run += 1) {
    const daemon = await startDaemon(directory);
    started.push(daemon.startedMs);
    await pause(1_000);
    stopped.push(await daemon.stop());
  }
  const daemon = await startDaemon(directory);
  const { pid } = daemon;
  await pause(restMs);
  const before = processorS(pid);
  await pause(restMs);
  const share = (processorS(pid) - before) / (restMs / 1000);
  const memory_mb = residentMb(pid);
  const times = await timeCommands(daemon, coils.arrivals, wired.unique_id);
  await daemon.stop();
  coils.close();
  removeDataDirectory(directory);
  return [
    { what: 'daemon of 200 outputs and 500 inputs at 1 s: share of a core', value: `${(share * 100).toFixed(1)} %` },
    { what: '… memory after a minute', value: `${Math.round(memory_mb)} MB` },
    { what: `… start to supervising, median of ${starts}`, value: spread(started, 'ms') },
    { what: '… SIGTERM to its end', value: spread(stopped, 'ms') },
    {
      what: '… command to device write, p50 / p99',
      value: `${at(times, 0.5).toFixed(1)} / ${at(times, 0.99).toFixed(1)} ms`,
    },
  ];
}

/** How late the ticks of a grid came, ms, from the times of its samples; a tick that was skipped was a whole period late. */
function latenessOf(times: readonly number[], periodMs: number): number[] {
  const first = times[0] ?? 0;
  const drift = times.map((time) => {
    const past = (time - first) % periodMs;
    return past > periodMs / 2 ? past - periodMs : past;
  });
  const earliest = Math.min(...drift);
  const expected = Math.round(((times.at(-1) ?? first) - first) / periodMs) + 1;
  return [
    ...drift.map((late) => late - earliest),
    ...Array<number>(Math.max(0, expected - times.length)).fill(periodMs),
  ];
}

async function benchDense(): Promise<Figure[]> {
  const house = { house: idOf(6, 0), part: 'weather' };
  const dense = Array.from({ length: denseInputCount }, (_, number) =>
    simulatedInput(idOf(7, number), 1, { options: house }, 6),
  );
  const directory = siteOf([...dense, simulatedInput(fastId, 0.1)], []);
  const daemon = await startDaemon(directory);
  await pause(lateMs / 2);
  const from = Date.now();
  await pause(lateMs);
  const to = Date.now();
  const memory_mb = residentMb(daemon.pid);
  await daemon.stop();
  const database = openDatabase(join(directory, 'measurements.db'), { readonly: true });
  const inSpan = 'time_ms BETWEEN ? AND ?';
  const count = Number(database.prepare(`SELECT count(*) FROM sample WHERE ${inSpan}`).pluck().get(from, to));
  const times = database
    .prepare<[string, number, number], number>(
      `SELECT time_ms FROM sample JOIN series ON series.id = series_id WHERE device_id = ? AND ${inSpan} ORDER BY time_ms`,
    )
    .pluck()
    .all(fastId, from, to);
  database.close();
  removeDataDirectory(directory);
  const late = latenessOf(times, 100);
  return [
    {
      what: `lateness of a 100 ms tick beside ${Math.round(count / (lateMs / 1000)).toLocaleString('en')} samples/s, p50 / p99`,
      value: `${at(late, 0.5).toFixed(0)} / ${at(late, 0.99).toFixed(0)} ms`,
    },
    { what: '… memory of that daemon', value: `${Math.round(memory_mb)} MB` },
  ];
}

/** The built daemon under load, as a process of its own. */
export async function benchDaemon(): Promise<Figure[]> {
  return [...(await benchRest()), ...(await benchDense())];
}
