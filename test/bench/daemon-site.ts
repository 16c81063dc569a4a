import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Input } from '../../server/contract/input.ts';
import type { Output } from '../../server/contract/output.ts';
import { controlMigrations } from '../../server/db/migrations/control.ts';
import { measurementsMigrations } from '../../server/db/migrations/measurements.ts';
import { orangeryMigrations } from '../../server/db/migrations/orangery.ts';
import { openDatabase, type Database } from '../../server/db/open.ts';
import { InputRepository } from '../../server/db/repositories/input.ts';
import { OutputRepository } from '../../server/db/repositories/output.ts';
import { keepSecretFile } from '../../server/db/secret-file.ts';
import { DaemonControl } from '../../server/orangery_client.ts';
import { ForkLauncher } from '../../server/supervision/launcher.ts';
import { freshDataDirectory } from '../support/running-service.ts';

const entry = join(import.meta.dirname, '../../dist/main/daemon.js');

export const idOf = (kind: number, number: number): string =>
  `00000000-0000-4000-8000-${String(kind)}${String(number).padStart(11, '0')}`;

export function simulatedInput(unique_id: string, period_s: number, change: Partial<Input> = {}, channels = 1): Input {
  return {
    unique_id,
    name: 'sensor',
    driver: 'simulated',
    options: {},
    period_s,
    start_offset_s: 0,
    pre_output: null,
    power_output: null,
    is_activated: true,
    channels: Array.from({ length: channels }, (_, channel) => ({
      channel,
      name: 'value',
      measurement_id: randomUUID(),
      measurement: 'temperature',
      unit: 'C',
      is_enabled: true,
      scale: null,
      raw_unit: null,
      plausible_min: null,
      plausible_max: null,
      max_rate_per_min: null,
      resolution: null,
    })),
    ...change,
  };
}

export function switchOf(number: number, change: Partial<Output> = {}): Output {
  return {
    unique_id: idOf(8, number),
    name: 'switch',
    driver: 'simulated',
    options: {},
    is_activated: true,
    channels: [
      {
        channel: 0,
        name: 'switch',
        kind: 'switch',
        safe_state: 'off',
        startup_state: 'safe',
        shutdown_state: 'safe',
        min_off_s: 0,
        max_on_s: null,
        current_a: null,
        flow_ml_s: null,
        pwm_cycle_s: null,
        pwm_min_on_s: 1,
        motor_close_channel: null,
        motor_travel_s: null,
        motor_slack_s: 0,
      },
    ],
    ...change,
  };
}

/** A data directory as the service leaves it, with these devices. */
export function siteOf(
  inputs: readonly Input[],
  outputs: readonly Output[],
  insertMore: (database: Database) => void = () => undefined,
): string {
  const directory = freshDataDirectory();
  openDatabase(join(directory, 'control.db'), { migrations: controlMigrations }).close();
  openDatabase(join(directory, 'measurements.db'), { migrations: measurementsMigrations }).close();
  const database = openDatabase(join(directory, 'orangery.db'), { migrations: orangeryMigrations });
  database.transaction(() => {
    for (const input of inputs) new InputRepository(database).insert(input);
    for (const output of outputs) new OutputRepository(database).insert(output);
    insertMore(database);
  })();
  database.close();
  return directory;
}

export interface Running {
  pid: number | undefined;
  control: DaemonControl;
  /** From the command to the word that it serves, ms. */
  startedMs: number;
  /** From SIGTERM to its end, ms. */
  stop(): Promise<number>;
}

/** The built daemon, started as the service starts it. */
export async function startDaemon(dataDirectory: string): Promise<Running> {
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
export function processorS(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/**
 * How late the ticks of a grid came, ms, from the times of its samples; a tick that was skipped was a whole period
 * late.
 */
export function latenessOf(times: readonly number[], periodMs: number): number[] {
  const phases = times.map((time) => time % periodMs);
  const from = (origin: number): number[] => phases.map((phase) => (phase - origin + periodMs) % periodMs);
  const sum = (late: readonly number[]): number => late.reduce((all, one) => all + one, 0);
  // The grid stands where all together are least late: the first reading may be late itself.
  const lateness = phases.map(from).reduce((best, one) => (sum(one) < sum(best) ? one : best), phases);
  const expected = Math.round(((times.at(-1) ?? 0) - (times[0] ?? 0)) / periodMs) + 1;
  return [...lateness, ...Array<number>(Math.max(0, expected - times.length)).fill(periodMs)];
}

/** When an input was read in a time, epoch ms. */
export function readingsOf(directory: string, device_id: string, { from, to }: { from: number; to: number }): number[] {
  const database = openDatabase(join(directory, 'measurements.db'), { readonly: true });
  const times = database
    .prepare<[string, number, number], number>(
      `SELECT time_ms FROM sample JOIN series ON series.id = series_id
       WHERE device_id = ? AND time_ms BETWEEN ? AND ? ORDER BY time_ms`,
    )
    .pluck()
    .all(device_id, from, to);
  database.close();
  return times;
}
