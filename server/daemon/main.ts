import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { SecretBox } from '../auth/secret-box.ts';
import { daemonDefaultPort, daemonNetworkPort } from '../contract/daemon.ts';
import { messageOf } from '../contract/message-of.ts';
import { keepSecretFile, readSecretFile } from '../db/secret-file.ts';
import { openMeasurementReader } from '../measurement/sqlite/reader.ts';
import { spaceOf } from '../measurement/sqlite/space.ts';
import { openMeasurementWriter } from '../measurement/sqlite/writer.ts';
import type { ConditionListener, StoreCondition } from '../measurement/store.ts';
import { systemClock } from './clock.ts';
import { openControlStore, type ControlStore } from './store/control-store.ts';
import { Daemon, type DaemonOptions } from './daemon.ts';
import { parentLink, unfinishedExit } from './ipc.ts';
import { openLogFile, openStandardError, type LogDestination } from '../log-destination.ts';
import { withoutSecrets } from '../log-secrets.ts';
import { KeptConfiguration } from './configuration/kept-configuration.ts';
import { KeptControlStore } from './store/kept-control-store.ts';
import { StaleMark } from './store/stale-mark.ts';
import { LastKnown } from './store/last-known.ts';
import { Linger } from './linger.ts';

const heartbeatMs = 1_000;
/** How long the alarm of a condition that is already over stays raised. */
const seenMs = 10_000;
/** A stop that takes longer ends the process where it stands. */
const lastMomentMs = 1_950;
/** How long a process that cannot start waits for the reason to be written. */
const lastWordsMs = 500;

const manifest = z.object({ version: z.string() });

const settings = z.object({
  data: z.string().min(1),
  host: z.string().min(1),
  port: z.coerce.number().int().min(0).max(65_535),
  'network-host': z.string().min(1).optional(),
  'network-port': z.coerce.number().int().min(0).max(65_535),
  'crash-loop': z.string().max(500).optional(),
  'stopped-by': z.string().min(1).max(500).optional(),
  'stop-reason': z.string().max(2_000).optional(),
  'until-safe-s': z.coerce.number().min(0).max(3_600).optional(),
  'safe-s': z.coerce.number().min(0).max(3_600),
  linger: z.union([z.literal('forever').transform(() => null), z.coerce.number().min(0)]),
});

function readSettings(args: string[]): z.output<typeof settings> {
  const { values } = parseArgs({
    args,
    options: {
      data: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: String(daemonDefaultPort) },
      linger: { type: 'string', default: 'forever' },
      'crash-loop': { type: 'string' },
      'stopped-by': { type: 'string' },
      'stop-reason': { type: 'string' },
      'until-safe-s': { type: 'string' },
      'safe-s': { type: 'string', default: '0' },
      'network-host': { type: 'string' },
      'network-port': { type: 'string', default: String(daemonNetworkPort) },
    },
  });
  const parsed = settings.safeParse(values);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`--${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not usable'}`);
}

function networkOf(given: z.output<typeof settings>): Pick<DaemonOptions, 'network'> {
  const host = given['network-host'];
  return host === undefined ? {} : { network: { host, port: given['network-port'] } };
}

function stopOf(given: z.output<typeof settings>): DaemonOptions['stop'] {
  const actor = given['stopped-by'];
  return actor === undefined ? null : { actor, reason: given['stop-reason'] ?? null };
}

/** Source and bundle both lie two folders below the package. */
function programVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return manifest.parse(JSON.parse(readFileSync(file, 'utf8'))).version;
}

/** The file exists in order to close loopback: while it is empty, only the service gets in. */
function loopbackSecret(file: string): string | undefined {
  const secret = readSecretFile(file);
  if (secret !== undefined || !existsSync(file)) return secret;
  log(
    `${file} is empty: no other program of this machine is let in until it holds a secret and the daemon was restarted`,
  );
  return randomUUID();
}

/** Without a stored token no program can prove that it is the service; control goes on. */
function serverToken(file: string): string {
  try {
    return keepSecretFile(file);
  } catch (error) {
    log(`${file} cannot be used: ${messageOf(error)}`);
    return randomUUID();
  }
}

/** Reports a damaged file. Its replacement ends the condition at once, and the alarm waits for its acknowledgement. */
function controlStore(data: string, tell: ConditionListener): ControlStore {
  return openControlStore(join(data, 'control.db'), (message) => {
    tell({ code: 'control_damaged', is_active: true, message });
    setTimeout(() => tell({ code: 'control_damaged', is_active: false, message: 'control.db is whole again' }), seenMs);
  });
}

/** pino's level of a warning: everything that this process reports is out of the ordinary. */
const warnLevel = 40;
const shown = openStandardError();
/** Set once the folder is known. */
let kept: LogDestination | undefined;

function log(line: string): void {
  const msg = withoutSecrets(line);
  shown.write(`daemon: ${msg}\n`);
  kept?.write(`${JSON.stringify({ level: warnLevel, time: Date.now(), msg })}\n`);
}

async function run(): Promise<void> {
  const given = readSettings(process.argv.slice(2));
  const { data, host, port, linger } = given;
  kept = openLogFile(data, 'daemon');
  const parent = parentLink();
  let ending: Promise<never> | undefined;
  /** Signals and callers share one stop, however often they ask for it. */
  const end = (isSafeForced = false): void => {
    ending ??= leave(isSafeForced);
  };
  const underWay = (): Promise<never> | undefined => ending;
  const leave = async (isSafeForced: boolean): Promise<never> => {
    setTimeout(() => process.exit(unfinishedExit), lastMomentMs);
    const isOrderly = await daemon.stop(isSafeForced).catch((error: unknown) => {
      log(`stop: ${String(error)}`);
      return false;
    });
    process.exit(isOrderly ? 0 : unfinishedExit);
  };
  process.stderr.on('error', () => undefined); // whoever read what Node itself says may be gone; control goes on
  process.on('exit', () => [shown, kept].forEach((place) => place?.end()));
  process.on('SIGINT', () => undefined);
  process.on('SIGHUP', () => undefined);
  process.on('SIGTERM', () => end());

  const lingering = new Linger(systemClock, linger, () => end(true));
  const lastKnown = new LastKnown(join(data, 'last-known.json'), log);
  const tell = (condition: StoreCondition): void => daemon.storeCondition(condition);
  const daemon = new Daemon({
    host,
    port,
    log,
    clock: systemClock,
    dataDirectory: data,
    linger_s: linger,
    crash_loop: given['crash-loop'] ?? null,
    safe_s: given['safe-s'],
    stop: stopOf(given),
    ...networkOf(given),
    access: {
      server_token: serverToken(join(data, 'daemon.token')),
      loopback_secret: loopbackSecret(join(data, 'remote.loopback_secret')),
    },
    secrets: new SecretBox(join(data, 'secret.key')),
    version: programVersion(),
    lastKnown,
    configuration: new KeptConfiguration({ file: join(data, 'orangery.db'), lastKnown, tell }),
    store: new KeptControlStore({
      clock: systemClock,
      lastKnown,
      tell,
      store: controlStore(data, tell),
      mark: new StaleMark(join(data, 'control.stale')),
    }),
    writer: openMeasurementWriter(join(data, 'measurements.db'), tell),
    reader: openMeasurementReader(join(data, 'measurements.db')),
    space: () => spaceOf(join(data, 'measurements.db')),
    asked: () => lingering.asked(),
    terminate: () => setImmediate(end), // after the answer to the caller
  });
  const until_safe_s = given['until-safe-s'];
  if (until_safe_s !== undefined) return goSafeAndEnd(daemon, until_safe_s);
  const started = daemon.start();
  parent?.onGone(() => lingering.lost());
  try {
    await started;
  } catch (error) {
    const asked = underWay();
    if (asked !== undefined) return asked; // what a start runs into that is being stopped is no fault of its own
    await daemon.stop(true);
    throw error;
  }
  parent?.send({ kind: 'ready', port: daemon.port ?? port });
  setInterval(() => parent?.send({ kind: 'heartbeat' }), heartbeatMs);
}

/** Ends with 0 once every output is safe, and with 1 when that takes too long. */
async function goSafeAndEnd(daemon: Daemon, patience_s: number): Promise<never> {
  const isSafe = await daemon.goSafe(patience_s);
  await daemon.stop(true);
  process.exit(isSafe ? 0 : 1);
}

run().catch(async (error: unknown) => {
  log(messageOf(error));
  await shown.settled(lastWordsMs);
  await kept?.settled(lastWordsMs);
  process.exit(1);
});
