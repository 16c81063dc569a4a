import type { Actor } from './auth/actor.ts';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Settings } from './contract/setting.ts';
import { buildApi, type RequestHandler } from './api/app.ts';
import type { RateLimits } from './api/checks/rate.ts';
import type { PeerOf } from './api/connections.ts';
import { Front } from './api/front.ts';
import { allRoutes } from './api/routes/index.ts';
import { answerStarting } from './api/starting.ts';
import { SetupToken } from './auth/setup-token.ts';
import type { DaemonLauncher } from './supervision/launcher.ts';
import { driveSafe } from './supervision/last-resort.ts';
import { DaemonMemory } from './supervision/memory.ts';
import { DaemonSupervisor } from './supervision/supervisor.ts';
import { TrustedTime } from './supervision/trusted-time.ts';
import { holdDataDirectory } from './data-directory.ts';
import { openDatabases } from './databases.ts';
import { oncePerTurn, otherCommits, type OtherCommits } from './db/content-version.ts';
import { isReadOnly, waitBriefly, type Database } from './db/open.ts';
import { keepSecretFile } from './db/secret-file.ts';
import { Listening } from './listening.ts';
import { Outbound } from './outbound/outbound.ts';
import { composeAccounts, type Accounts } from './services/account/compose.ts';
import { composeAlarms, type Alarms } from './services/alarm/compose.ts';
import { FollowedJournal } from './services/alarm/followed-journal.ts';
import { startDaemonAgain } from './services/live/daemon-start.ts';
import { composeDevices, type Devices } from './services/device/compose.ts';
import { composeMeasurements, type Measurements } from './services/measurement/compose.ts';
import { composeRecords, type Records } from './services/record/compose.ts';
import type { Supervisor } from './services/live/daemon-view.ts';
import { DesignService } from './services/map/design.ts';
import type { LiveCache } from './services/live/live.ts';
import { MapRunner } from './services/map/runner.ts';
import { deliverer } from './services/notification/delivery.ts';
import { OverlayService } from './services/map/overlay.ts';
import { CertificateKeeper } from './tls/certificate-keeper.ts';
import { programVersion } from './version.ts';

export interface ServiceOptions {
  dataDirectory: string;
  /** 0 lets the system choose. */
  httpsPort: number;
  /** undefined: loopback until the first administrator exists, all addresses afterwards. */
  host: string | undefined;
  /** 0 lets the system choose. */
  daemonPort: number;
  /** Where programs of other machines reach the daemon; only this one does when absent. */
  daemonNetwork?: { host: string; port: number } | undefined;
  /** How long the daemon goes on when this process dies, s; null for ever. */
  linger_s: number | null;
  tlsNames: readonly string[];
  launcher: DaemonLauncher;
  log: Logger;
  /** Folder of the built pages; without it only the API is served. */
  rendererDirectory?: string;
  /** Folder with swagger-ui-dist's files; without it there is no page at /api. */
  swaggerUiDirectory?: string;
  /** Answers that break the contract become errors (tests). */
  checkAnswers?: boolean;
  /** Requests a minute; those of the contract when absent. */
  limits?: RateLimits;
}

export interface Service {
  /** https://localhost:PORT */
  url: string;
  /** For making the first administrator; null once there is one. */
  setupToken(): string | null;
  /** The certificate that is served, PEM. */
  leafCertificate(): string;
  /** The daemon drives its outputs to their safe state, then the databases are closed. */
  stop(): Promise<void>;
}

/** The daemon answers the supervisor before the live cache has read its state. */
const firstStateMs = 10_000;

/**
 * Starts the whole service on a data directory; resolves when requests are served and the daemon answers. Rejects with an
 * error whose message is one line for the console, after undoing what it had begun; outputs that no daemon looks after are safe then.
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { dataDirectory, daemonPort: port, launcher, log } = options;
  const held = new AsyncDisposableStack();
  held.defer(holdDataDirectory(dataDirectory));
  const begun = held.use(new AsyncDisposableStack());
  try {
    return { ...(await start(options, begun)), stop: () => held.disposeAsync() };
  } catch (error) {
    await begun.disposeAsync();
    if (!(await driveSafe({ dataDirectory, port, launcher }))) log.error('not every output could be driven safe');
    await held.disposeAsync();
    throw error;
  }
}

/** The steps in their order; what each began is undone from the last to the first. */
async function start(options: ServiceOptions, begun: AsyncDisposableStack): Promise<Omit<Service, 'stop'>> {
  const { dataDirectory, log } = options;
  const db = openDatabases(dataDirectory);
  begun.defer(() => void db.close());
  const keeper = certificateKeeper(options, (tls) => front.renew(tls));
  await keeper.start();
  begun.defer(() => keeper.stop());

  let handle: RequestHandler = answerStarting;
  const front = new Front({ handle: (request, response) => handle(request, response), tls: keeper.current });
  begun.defer(() => front.close());
  const setupToken = new SetupToken();
  const commits = oncePerTurn(otherCommits(db));
  const onSetUp = (): void => void listening.openWhenSetUp();
  const time = new TrustedTime({ now: Date.now });
  const trusted = (): number => time.now();
  const accounts = composeAccounts({
    ...{ db, directory: dataDirectory, commits, now: Date.now, trusted, setupToken, onSetUp },
    onFault: (error) => log.error({ err: error }, 'what was to be noted could not be'),
  });
  begun.defer(() => accounts.audits.stop());
  begun.defer(() => {
    const lost = accounts.later.stop();
    if (lost > 0) log.error({ lost }, 'the disk takes nothing: what waited for it is lost');
  });
  if (isReadOnly(db)) {
    log.error('the disk takes no writing: what is stored is served, and outputs are looked after');
    accounts.later.flush(); // which finds it out for the health and the alarm
  }
  const listening = new Listening(front, {
    host: options.host,
    port: options.httpsPort,
    isSetUp: () => accounts.accounts.isSetUp(),
    onError: (error) => log.error({ err: error }, 'other devices cannot reach this'),
  });
  begun.defer(() => listening.stop());
  const token = keepSecretFile(join(dataDirectory, 'daemon.token'));
  const supervisor = new DaemonSupervisor({
    ...options,
    token,
    port: options.daemonPort,
    version: programVersion(),
    crashLoop: (reason) => {
      if (reason === null) log.info('the daemon runs steadily again');
      else log.error({ reason }, 'the daemon ends again and again');
    },
  });
  begun.defer(() => supervisor.stop());
  // Outputs wait for the daemon: a port that another program has must not keep it back.
  const [port] = await all([listening.start(), supervisor.start()]);
  begun.defer(() => time.stop());
  await time.start(supervisor.connect());
  accounts.audits.start((error) => log.error({ err: error }, 'old audit records could not be given up'));
  waitBriefly(db);
  const vouch = (peer: PeerOf): void => front.vouch(peer);
  handle = await serveRoutes({ options, vouch, trusted, db, commits, accounts, keeper, supervisor, begun });
  return {
    url: `https://localhost:${port}`,
    setupToken: () => (accounts.accounts.isSetUp() ? null : setupToken.value),
    leafCertificate: () => keeper.current.cert,
  };
}

/** As Promise.all, but what else was begun has ended too when one fails. */
async function all<First, Second>(begun: [Promise<First>, Promise<Second>]): Promise<[First, Second]> {
  await Promise.allSettled(begun);
  return Promise.all(begun);
}

function certificateKeeper(
  options: ServiceOptions,
  renew: (tls: { key: string; cert: string }) => void,
): CertificateKeeper {
  return new CertificateKeeper({
    directory: join(options.dataDirectory, 'tls'),
    hostName: hostname(),
    addresses: () => Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address)),
    extraNames: options.tlsNames,
    now: () => new Date(),
    onRenewed: renew,
    onError: (error) => options.log.error({ err: error }, 'the certificate could not be checked'),
  });
}

interface Parts {
  vouch: (peer: PeerOf) => void;
  options: ServiceOptions;
  /** Epoch ms by which old things are deleted. */
  trusted: () => number;
  db: Database;
  commits: OtherCommits;
  accounts: Accounts;
  keeper: CertificateKeeper;
  supervisor: DaemonSupervisor;
  begun: AsyncDisposableStack;
}

/** Joins the services over a running daemon; gives what answers requests once the daemon's state is known. */
async function serveRoutes(parts: Parts): Promise<RequestHandler> {
  const { options, vouch, accounts, keeper, supervisor } = parts;
  const site = (): Settings => accounts.settings.get();
  const devices = beginDevices(parts, site);
  await whenUp(devices.live);
  // Before the maps: what a job saves ends when their worker does.
  const records = beginRecords(parts, devices);
  const maps = beginMaps(parts, devices);
  const measurements = beginMeasurements(parts, devices, site);
  const memory = beginMemory(parts);
  const alarms = beginAlarms(parts, devices, site);
  const supervision = (): Supervisor => ({ ...supervisor.supervision, memory_mb: memory.mb });
  const isUp = (): boolean => devices.live.daemonState === 'up';
  const startDaemon = (actor: Actor): Promise<void> =>
    startDaemonAgain(actor, { audit: accounts.audit, startAgain: () => supervisor.startAgain() });
  return buildApi({
    ...options,
    ...accounts,
    vouch,
    routes: allRoutes({
      ...accounts,
      ...devices,
      ...maps,
      ...records,
      ...measurements,
      ...alarms,
      supervision,
      startDaemon,
      isUp,
    }),
    version: programVersion(),
    caPem: () => keeper.current.ca_pem,
  });
}

/** Waits until the daemon's state was read; a daemon that is lost again by then is told by the state itself. */
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

function beginDevices(
  { options, trusted, db, commits, accounts, supervisor, begun }: Parts,
  site: () => Settings,
): Devices {
  const devices = composeDevices({
    ...accounts,
    db,
    commits,
    clock: Date.now,
    trusted,
    log: { warn: (message) => options.log.warn(message) },
    connectDaemon: () => supervisor.connect(),
    site,
  });
  begun.defer(() => devices.stop());
  devices.start();
  return devices;
}

function beginMeasurements(
  { options, db, accounts, supervisor, begun }: Parts,
  { live }: Devices,
  site: () => Settings,
): Measurements {
  const measurements = composeMeasurements({
    ...{ db, live, clock: Date.now, audit: accounts.audit, later: accounts.later },
    measurementsFile: join(options.dataDirectory, 'measurements.db'),
    daemon: supervisor.connect(),
    timeZone: () => site().time_zone,
  });
  begun.defer(() => measurements.stop());
  return measurements;
}

function beginMemory({ supervisor, begun }: Parts): DaemonMemory {
  const memory = new DaemonMemory(supervisor.connect());
  begun.defer(() => memory.stop());
  begun.defer(supervisor.subscribe(() => memory.askAgain()));
  memory.start();
  return memory;
}

function beginAlarms(
  { options, trusted, db, accounts, supervisor, begun }: Parts,
  devices: Devices,
  site: () => Settings,
): Alarms {
  const journal = new FollowedJournal(join(options.dataDirectory, 'control.db'));
  begun.defer(() => journal.close());
  const outbound = new Outbound();
  begun.defer(() => outbound.close());
  const alarms = composeAlarms({
    ...{ ...devices, ...accounts, db, journal, site, clock: Date.now, trusted },
    deliver: deliverer({ outbound }),
    daemon: supervisor.connect(),
    log: { warn: (message) => options.log.warn(message) },
  });
  begun.defer(() => alarms.stop());
  alarms.start();
  return alarms;
}

interface Maps {
  designs: DesignService;
  overlays: OverlayService;
}

function beginMaps({ options, trusted, db, accounts, begun }: Parts, { devices, facilities }: Devices): Maps {
  const maps = new MapRunner(db, join(options.dataDirectory, 'orangery.db'));
  begun.defer(() => maps.close());
  const shared = { maps, audit: accounts.audit, clock: Date.now };
  const designs = new DesignService({
    ...{ ...shared, trusted, startView: () => accounts.settings.get() },
    purgeFacilities: () => void facilities.purgeTrash(),
  });
  begun.defer(() => designs.stop());
  designs.start((error) => options.log.error({ err: error }, 'old maps could not be removed'));
  return {
    designs,
    overlays: new OverlayService({
      ...shared,
      channelsOf: (id) => devices.channelsOf(id),
      deviceChannels: () => devices.deviceChannels(),
    }),
  };
}

function beginRecords({ options, trusted, db, accounts, begun }: Parts, { devices, live }: Devices): Records {
  const records = composeRecords({
    ...{ db, trusted },
    clock: Date.now,
    audit: accounts.audit,
    later: accounts.later,
    live,
    deviceExists: (id) => devices.exists(id),
    onJobFault: (error) => options.log.error({ err: error }, 'a job failed'),
  });
  records.jobs.start();
  begun.defer(() => records.jobs.stop());
  return records;
}
