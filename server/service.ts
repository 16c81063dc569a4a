import type { Outside } from './composition/proxies.ts';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { buildApi } from './api/app.ts';
import type { RateLimits } from './api/checks/rate.ts';
import { Front } from './api/front.ts';
import { allRoutes } from './api/routes/index.ts';
import { answerStarting } from './api/starting.ts';
import { SetupToken } from './auth/setup-token.ts';
import { clearWork } from './backup/make.ts';
import { putBack } from './backup/put-back.ts';
import { composeAccounts, type Accounts } from './composition/accounts.ts';
import { composeServices, followDaemon, startServices, type Services } from './composition/services.ts';
import type { Alarm } from './contract/alarm.ts';
import type { BackupResult } from './contract/backup.ts';
import { holdDataDirectory, type DirectoryHold } from './data-directory.ts';
import { openDatabases } from './databases.ts';
import { oncePerTurn, otherCommits, type OtherCommits } from './db/content-version.ts';
import { isReadOnly, waitBriefly, type Database } from './db/open.ts';
import { onceWriting } from './db/recovering.ts';
import { keepSecretFile } from './db/secret-file.ts';
import { Listening } from './listening.ts';
import { Outbound } from './outbound/outbound.ts';
import { FollowedJournal } from './services/alarm/followed-journal.ts';
import { OwedStop } from './services/device/owed-stop.ts';
import { startDaemonAgain } from './services/live/daemon-start.ts';
import type { LiveCache } from './services/live/live.ts';
import { deliverer } from './services/notification/delivery.ts';
import type { DaemonLauncher } from './supervision/launcher.ts';
import { driveSafe } from './supervision/last-resort.ts';
import { DaemonMemory } from './supervision/memory.ts';
import { DaemonSupervisor } from './supervision/supervisor.ts';
import { TrustedTime } from './supervision/trusted-time.ts';
import { CertificateKeeper } from './tls/certificate-keeper.ts';
import { programVersion } from './version.ts';

/** The steps of a start, in order. */
export type StartStep = 'databases' | 'certificate' | 'daemon' | 'values';

export interface ServiceOptions {
  dataDirectory: string;
  /** 0 lets the system choose. */
  httpsPort: number;
  /** undefined: loopback until the first administrator exists, all addresses afterwards. */
  host: string | undefined;
  /** 0 lets the system choose. */
  daemonPort: number;
  /** Where programs of other machines reach the daemon; default only this machine. */
  daemonNetwork?: { host: string; port: number } | undefined;
  /** How long the daemon goes on when this process dies, s; null for ever. */
  linger_s: number | null;
  tlsNames: readonly string[];
  launcher: DaemonLauncher;
  log: Logger;
  /** Called when the service must be restarted for a restore; without it restores cannot be requested. */
  restart?: () => void;
  /** Called at each step of the start. */
  onStep?: (step: StartStep) => void;
  /** Folder of the built pages; without it only the API is served. */
  rendererDirectory?: string;
  /** Folder with swagger-ui-dist's files; without it there is no page at /api. */
  swaggerUiDirectory?: string;
  /** Answers that break the contract become errors (tests). */
  checkAnswers?: boolean;
  /** Where outside services are (tests); default the internet. */
  outside?: Outside;
  /** Requests a minute; default the contract's. */
  limits?: RateLimits;
}

export interface Service {
  /** https://localhost:PORT */
  url: string;
  /** For making the first administrator; null once there is one. */
  setupToken(): string | null;
  /** The served certificate, PEM. */
  leafCertificate(): string;
  /**
   * Calls the listener with the alarms that are not normal, now and at each change; returns an unsubscribe function.
   */
  watchAlarms(listener: (alarms: Alarm[]) => void): () => void;
  /**
   * The daemon drives its outputs to their safe state, then the databases are closed. A daemon that does not end is
   * killed, and another one does it.
   */
  stop(): Promise<void>;
}

/** How long the live cache may take to read the first state, after the daemon has answered the supervisor. */
const firstStateMs = 10_000;

/**
 * Starts the whole service on a data directory; resolves when requests are served and the daemon answers. On failure it
 * undoes what it began, and rejects with an error whose message is one line for the console; outputs without a daemon
 * are safe by then.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { dataDirectory, daemonPort: port, launcher, log } = options;
  const held = new AsyncDisposableStack();
  const hold = holdDataDirectory(dataDirectory);
  held.defer(hold.release);
  const begun = held.use(new AsyncDisposableStack());
  try {
    return { ...(await start(options, { begun, hold })), stop: () => held.disposeAsync() };
  } catch (error) {
    await begun.disposeAsync();
    if (!(await driveSafe({ dataDirectory, port, launcher }))) log.error('not every output could be driven safe');
    await held.disposeAsync();
    throw error;
  }
}

interface Begun {
  begun: AsyncDisposableStack;
  hold: DirectoryHold;
}

/** Runs the steps in order; what each began is undone from the last to the first. */
async function start(options: ServiceOptions, { begun, hold }: Begun): Promise<Omit<Service, 'stop'>> {
  const { onStep = () => undefined } = options;
  onStep('databases');
  const lastRestore = putBackup(options);
  const db = openDatabases(options.dataDirectory);
  begun.defer(() => void db.close());
  onStep('certificate');
  const keeper = await keepCertificate(options, begun);
  const front = new Front({ handle: answerStarting, tls: keeper.current });
  begun.defer(() => front.close());
  keeper.subscribe((tls) => front.renew(tls));
  const onError = faultLog(options);
  const listening = new Listening(front, {
    host: options.host,
    port: options.httpsPort,
    onError: (error) => onError(error, 'other devices cannot reach this'),
  });
  const ground = {
    db,
    begun,
    hold,
    setupToken: new SetupToken(),
    commits: oncePerTurn(otherCommits(db)),
    time: new TrustedTime({ now: Date.now }),
    onSetUp: () => void listening.openWhenSetUp(),
    owedStop: new OwedStop(join(options.dataDirectory, 'owed-stop.json'), (message) => options.log.error(message)),
  };
  begun.defer(() => ground.owedStop.settled());
  const accounts = openAccounts(options, ground);
  begun.defer(() => listening.stop());
  const supervisor = superviseDaemon(options, ground);
  onStep('daemon');
  // Outputs wait for the daemon: a port that another program has must not delay it.
  const [port] = await all([listening.start(() => accounts.accounts.isSetUp()), supervisor.start()]);
  begun.defer(() => ground.time.stop());
  await ground.time.start(supervisor.connect());
  accounts.keys.start((error) => onError(error, 'expired keys could not be revoked'));
  accounts.audits.start((error) => onError(error, 'old audit records could not be deleted'));
  onStep('values');
  waitBriefly(db);
  const services = joinServices(options, { ...ground, accounts, supervisor, lastRestore });
  followDaemon(services);
  await whenUp(services.live);
  startServices(services, onError);
  const memory = watchMemory(supervisor, begun);
  const routes = allRoutes({
    ...accounts,
    ...services,
    supervision: () => ({ ...supervisor.supervision, memory_mb: memory.mb }),
    startDaemon: (actor) => startDaemonAgain(actor, { ...accounts, startAgain: () => supervisor.startAgain() }),
    isUp: () => services.live.daemonState === 'up',
    networkAddresses,
  });
  front.answerBy(
    buildApi({
      ...options,
      ...accounts,
      routes,
      version: programVersion(),
      vouch: (peer) => front.vouch(peer),
      caPem: () => keeper.current.ca_pem,
    }),
  );
  return {
    url: `https://localhost:${port}`,
    setupToken: () => (accounts.accounts.isSetUp() ? null : ground.setupToken.value),
    leafCertificate: () => keeper.current.cert,
    watchAlarms: (listener) => watchAlarms(services.live, listener),
  };
}

/** Completes a restore that was decided before the restart, and returns the result; null when there was none. */
function putBackup({ dataDirectory, log }: ServiceOptions): BackupResult | null {
  for (const line of clearWork(dataDirectory)) log.warn(line);
  const done = putBack(dataDirectory);
  for (const line of done.lines) log.warn(line);
  if (!done.isDecided) return null;
  if (done.fault !== null)
    log.error({ fault: done.fault }, 'the backup could not be restored: the existing data is used');
  return { at: new Date().toISOString(), fault: done.fault };
}

type FaultLog = (error: unknown, what: string) => void;

function faultLog({ log }: ServiceOptions): FaultLog {
  return (error, what) => log.error({ err: error }, what);
}

/** The addresses by which other devices reach this machine. */
function networkAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address);
}

async function keepCertificate(options: ServiceOptions, begun: AsyncDisposableStack): Promise<CertificateKeeper> {
  const keeper = new CertificateKeeper({
    directory: join(options.dataDirectory, 'tls'),
    hostName: hostname(),
    addresses: () => Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)),
    extraNames: options.tlsNames,
    now: () => new Date(),
    onError: (error) => faultLog(options)(error, 'the certificate could not be checked'),
  });
  await keeper.start();
  begun.defer(() => keeper.stop());
  return keeper;
}

/** What exists before the daemon does. */
interface Ground extends Begun {
  db: Database;
  commits: OtherCommits;
  setupToken: SetupToken;
  onSetUp: () => void;
  time: TrustedTime;
  owedStop: OwedStop;
}

function openAccounts(options: ServiceOptions, { begun, time, ...ground }: Ground): Accounts {
  const { log, dataDirectory: directory } = options;
  const accounts = composeAccounts({
    ...ground,
    directory,
    now: Date.now,
    trusted: () => time.now(),
    onFault: (error) => faultLog(options)(error, 'a record could not be written'),
  });
  begun.defer(() => accounts.audits.stop());
  begun.defer(() => accounts.keys.stop());
  begun.defer(() => {
    const lost = accounts.later.stop();
    if (lost > 0) log.error({ lost }, 'the disk accepts no writes: waiting records are lost');
  });
  if (isReadOnly(ground.db)) {
    log.error('the disk is read-only: stored data is still served and outputs are still controlled');
    onceWriting(ground.db, () => holdAtLast(ground.hold, log));
    accounts.later.flush(); // which finds it out for the health and the alarm
  }
  return accounts;
}

/** Locks the directory once the disk takes writes. */
function holdAtLast(hold: DirectoryHold, log: Logger): void {
  try {
    hold.lock();
    log.info('the disk is writable again');
  } catch (error) {
    log.error({ err: error }, 'the disk is writable again, but another service holds the data directory');
  }
}

function superviseDaemon(options: ServiceOptions, { begun, owedStop }: Ground): DaemonSupervisor {
  const { log } = options;
  const supervisor = new DaemonSupervisor({
    ...options,
    token: keepSecretFile(join(options.dataDirectory, 'daemon.token')),
    port: options.daemonPort,
    version: programVersion(),
    crashLoop: (reason) => {
      if (reason === null) log.info('the daemon runs steadily again');
      else log.error({ reason }, 'the daemon keeps crashing');
    },
    owedStop: () => owedStop.asked,
  });
  begun.defer(() => supervisor.stop());
  return supervisor;
}

/** Like Promise.all, but waits for both to settle even when one fails. */
async function all<First, Second>(begun: [Promise<First>, Promise<Second>]): Promise<[First, Second]> {
  await Promise.allSettled(begun);
  return Promise.all(begun);
}

interface Joined extends Ground {
  accounts: Accounts;
  supervisor: DaemonSupervisor;
  lastRestore: BackupResult | null;
}

function joinServices(options: ServiceOptions, { accounts, supervisor, time, ...ground }: Joined): Services {
  const { dataDirectory, log } = options;
  const journal = new FollowedJournal(join(dataDirectory, 'control.db'));
  ground.begun.defer(() => journal.close());
  const outbound = new Outbound();
  ground.begun.defer(() => outbound.close());
  return composeServices({
    ...ground,
    ...accounts,
    settings: () => accounts.settings.get(),
    clock: Date.now,
    elapsed: () => performance.now(),
    trusted: () => time.now(),
    log: { warn: (message) => log.warn(message) },
    version: programVersion(),
    directory: dataDirectory,
    restart: options.restart,
    onJobFault: (error) => faultLog(options)(error, 'a job failed'),
    onLookFault: (error) => faultLog(options)(error, 'changes of maps could not be followed'),
    connectDaemon: () => supervisor.connect(),
    endDaemon: () => {
      journal.close(); // the last to close a database is to be who writes it
      return supervisor.stop();
    },
    orangeryFile: join(dataDirectory, 'orangery.db'),
    measurementsFile: join(dataDirectory, 'measurements.db'),
    journal,
    deliver: deliverer({ outbound }),
    keys: accounts.settings,
    relayCacheFile: join(dataDirectory, 'relay-cache.db'),
    outside: options.outside,
    baseMapsFolder: join(dataDirectory, 'base-maps'),
    cadastreFile: join(dataDirectory, 'cadastre.db'),
  });
}

/** Waits until the daemon's state was read; if the daemon is lost again by then, the state says so. */
async function whenUp(live: LiveCache): Promise<void> {
  if (live.daemonState === 'up') return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, firstStateMs);
    const end = live.subscribe(() => {
      clearTimeout(timer);
      end();
      resolve();
    });
  });
}

/** Beside alarm events, the loss or return of the daemon changes the whole list. */
function watchAlarms(live: LiveCache, listener: (alarms: Alarm[]) => void): () => void {
  listener(live.alarms());
  return live.subscribe(({ kind }) => {
    if (kind === 'alarm' || kind === 'reset') listener(live.alarms());
  });
}

function watchMemory(supervisor: DaemonSupervisor, begun: AsyncDisposableStack): DaemonMemory {
  const memory = new DaemonMemory(supervisor.connect());
  begun.defer(() => memory.stop());
  begun.defer(supervisor.subscribe(() => memory.askAgain()));
  memory.start();
  return memory;
}
