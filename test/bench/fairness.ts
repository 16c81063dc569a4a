import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Input } from '../../server/contract/input.ts';
import type { Output } from '../../server/contract/output.ts';
import { holderOf } from '../../server/db/lock-file.ts';
import { lockHolder } from '../../server/supervision/discovery.ts';
import { freshDataDirectory, removeDataDirectory, startService } from '../support/running-service.ts';
import { ServiceClient } from '../support/service-client.ts';
import { attacks, beginAttack, type AttackName, type Target } from './attacks.ts';
import { startCoils, type Coils } from './coils.ts';
import { median, percentile, type Figure } from './figure.ts';
import { residentMb } from './resident.ts';

const commands = 60;
const stops = 30;
const betweenMs = 20;
const againMs = 20;
/** An attack has begun by then. */
const headStartMs = 1_000;
/** What was not written by then counts as so late. */
const longestMs = 15_000;
/** One attack is watched no longer, however few of its commands got through. */
const watchMs = 60_000;

interface Times {
  command: number[];
  stop: number[];
}

interface Site {
  client: ServiceClient;
  coils: Coils;
  output_id: string;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  server.close();
  await once(server, 'close');
  return port;
}

/** From a request until the device is written to, ms. What is refused is asked again: a person would. */
async function untilWritten(coils: Coils, ask: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  const written = coils.written().then(() => true);
  while (performance.now() - from < longestMs) {
    const refused = ask().then(
      () => pause(longestMs, false),
      () => pause(againMs, false),
    );
    if (await Promise.race([written, refused])) return (coils.arrivals.at(-1) ?? NaN) - from;
  }
  return longestMs;
}

async function timeOne({ client, coils, output_id }: Site): Promise<Times> {
  const times: Times = { command: [], stop: [] };
  const begun = performance.now();
  const isTime = (): boolean => performance.now() - begun < watchMs;
  const switchTo = (state: boolean): Promise<unknown> => client.ask('POST', `/api/outputs/${output_id}`, { state });
  for (let sent = 0; sent < commands && isTime(); sent += 1) {
    times.command.push(await untilWritten(coils, () => switchTo(sent % 2 === 0)));
    await pause(betweenMs);
  }
  for (let sent = 0; sent < stops && (sent === 0 || isTime()); sent += 1) {
    await untilWritten(coils, () => switchTo(true));
    times.stop.push(await untilWritten(coils, () => client.ask('POST', '/api/emergency_stop', {})));
    await client.ask('DELETE', '/api/emergency_stop').catch(() => undefined);
    await pause(betweenMs);
  }
  return times;
}

function figuresOf(what: string, times: Times, quiet: Times): Figure[] {
  const row = (kind: keyof Times): string => {
    const ratio = percentile(times[kind], 99) / percentile(quiet[kind], 99);
    const [middle, late] = [median(times[kind]), percentile(times[kind], 99)];
    return `${middle.toFixed(1)} / ${late.toFixed(1)} ms, p99 ${ratio.toFixed(1)} x quiet`;
  };
  return [
    { what: `beside ${what}: command to device, p50 / p99`, value: row('command') },
    { what: '… emergency stop to device', value: row('stop') },
  ];
}

async function makeSwitch(client: ServiceClient, coils: Coils): Promise<string> {
  const made = await client.ask('POST', '/api/settings/outputs', {
    name: 'Heater',
    driver: 'modbus',
    options: {
      host: '127.0.0.1',
      port: coils.port,
      registers: [{ channel: 0, table: 'coil', address: 0, readback: false }],
    },
    channels: [{ channel: 0, name: 'Heater', kind: 'switch' }],
  });
  return (made.body as Output).unique_id; // the contract's output
}

/** Samples of an input that the preset has. */
async function makeChannel(client: ServiceClient): Promise<Target['channel']> {
  const preset = await client.ask('POST', '/api/settings/presets/simulated_greenhouse', {});
  const [input] = (preset.body as { inputs: Input[] }).inputs; // the preset's answer
  return { device_id: input?.unique_id ?? '', measurement_id: input?.channels[0]?.measurement_id ?? '' };
}

function addedFigure(tookMs: number[], lasted_s: number): Figure {
  const value = `${Math.round(tookMs.length / lasted_s)} a second, p50 ${median(tookMs).toFixed(0)} ms`;
  return { what: '… samples stored meanwhile', value };
}

function memoryOf(dataDirectory: string): string {
  const holders = [lockHolder(dataDirectory), holderOf(join(dataDirectory, 'service.lock'))];
  return holders.map((pid) => (pid == null ? 'ended' : `${Math.round(residentMb(pid))} MB`)).join(', ');
}

/**
 * How long a command and an emergency stop take to the device while one hostile program does its worst; each beside the
 * built service.
 */
export async function benchFairness(): Promise<Figure[]> {
  const dataDirectory = freshDataDirectory();
  const daemonPort = await freePort();
  const env = { ORANGERY_DAEMON_PORT: String(daemonPort), ORANGERY_LOG_LEVEL: 'error' };
  const service = await startService({ dataDirectory, env });
  const coils = await startCoils();
  const figures: Figure[] = [];
  try {
    const client = await ServiceClient.setUp(service);
    const hostile = await ServiceClient.withNewKey(service);
    const site = { client, coils, output_id: await makeSwitch(client, coils) };
    const channel = await makeChannel(client);
    const target = { daemonPort, url: service.url, ca: client.ca, key: hostile.key, channel };
    // Some of the attacks alone, by their names with commas between.
    const only = process.env['FAIRNESS_ATTACKS']?.split(',');
    const names = (Object.keys(attacks) as AttackName[]).filter(
      (name) => name === 'quiet' || only?.includes(name) !== false,
    );
    let quiet: Times | undefined;
    for (const name of names) {
      const told: number[] = [];
      const end = beginAttack(name, target, (tookMs) => told.push(Number(tookMs)));
      await pause(headStartMs);
      const begun = performance.now();
      told.length = 0;
      const times = await timeOne(site);
      const lasted_s = (performance.now() - begun) / 1_000;
      const memory = memoryOf(dataDirectory);
      await end();
      quiet ??= times;
      figures.push(...figuresOf(attacks[name].what, times, quiet));
      figures.push({ what: '… memory of daemon and service at its end', value: memory });
      if (told.length > 0) figures.push(addedFigure(told, lasted_s));
      await pause(headStartMs);
    }
    client.close();
    hostile.close();
  } finally {
    await service.stop();
    coils.close();
    removeDataDirectory(dataDirectory);
  }
  return figures;
}
