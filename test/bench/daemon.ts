import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../server/db/open.ts';
import { removeDataDirectory } from '../support/running-service.ts';
import { startCoils } from './coils.ts';
import {
  at,
  idOf,
  latenessOf,
  processorS,
  readingsOf,
  simulatedInput,
  siteOf,
  startDaemon,
  switchOf,
  type Running,
} from './daemon-site.ts';
import { spread, type Figure } from './figure.ts';
import { residentMb } from './resident.ts';

const outputCount = 200;
const inputCount = 500;
/** Each of these inputs has six channels: 5,004 samples a second. */
const denseInputCount = 834;
const starts = 5;
const commands = 300;
const restMs = 30_000;
const lateMs = 20_000;

const fastId = idOf(9, 1);

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
      host: '127.0.0.1',
      port: coils.port,
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
  database.close();
  const late = latenessOf(readingsOf(directory, fastId, { from, to }), 100);
  removeDataDirectory(directory);
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
