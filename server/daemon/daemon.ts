import { join } from 'node:path';
import { daemonObjectId } from '../contract/daemon.ts';
import type { DaemonStatus } from '../contract/daemon.ts';
import type { Output } from '../contract/output.ts';
import type { SecretBox } from '../auth/secret-box.ts';
import { acquireInstanceLock, dataDirectoryId, markEnding, readInstanceId } from '../db/instance-lock.ts';
import type { InstanceLock } from '../db/instance-lock.ts';
import { LockedError } from '../db/lock-file.ts';
import type { MeasurementReader } from '../measurement/reader.ts';
import type { MeasurementWriter, StoreCondition, StoreSpace } from '../measurement/store.ts';
import type { RemoteMethod } from '../remote/method.ts';
import { RemoteServer } from '../remote/server.ts';
import { Alarms } from './alarms/alarms.ts';
import { DaemonConditions } from './alarms/daemon-conditions.ts';
import { GateConditions } from './alarms/gate-conditions.ts';
import { alarmOfStore } from './alarms/store-condition.ts';
import { Activation } from './activation.ts';
import { ClockWatch } from './clock-watch.ts';
import { within } from './clock.ts';
import type { Clock, Timer } from './clock.ts';
import { Commissioning } from './commissioning/commissioning.ts';
import { WorkerJudge } from './commissioning/round-judge.ts';
import type { ControlState, ControlStore } from './control-store.ts';
import { InputOutputs } from './controllers/input/input-outputs.ts';
import { Inputs } from './controllers/input/inputs.ts';
import { Lcds } from './controllers/lcd/lcds.ts';
import { Outputs } from './controllers/output/outputs.ts';
import type { Device, DeviceKind } from './drivers/driver.ts';
import { DriverFamilies } from './drivers/families.ts';
import { EventRing } from './events.ts';
import { LiveValues } from './live-values.ts';
import { MeasurementCare } from './measurement-care.ts';
import type { KeptConfiguration } from './kept-configuration.ts';
import { openedOptions } from './opened-options.ts';
import { NetworkAccess } from './network-access.ts';
import type { NetworkAddress } from './network-access.ts';
import { loopbackCaller, serverCaller } from './remote/access.ts';
import type { AccessSecrets } from './remote/access.ts';
import { remoteObject } from './remote/remote.ts';
import { Safety } from './safety/safety.ts';
import { Watchdog } from './watchdog.ts';

/** How long a start waits for devices before it serves: those that do not answer are driven safe behind it. */
const SAFE_FIRST_MS = 1_500;
/** How often one that only goes safe looks whether it is. */
const SAFE_POLL_MS = 100;
/** How long a stop waits for a start under way to notice and for what is tried to be brought back, for devices, and then for the databases. */
const STOP_START_MS = 400;
const STOP_OUTPUTS_MS = 1_200;
const STOP_STORES_MS = 300;
/** How long a start waits for the disk to note that the daemon runs. */
const NOTE_MS = 1_000;
/** How often it looks for what a disk kept it from at its start, and for changed settings to keep. */
const LOOK_MS = 5_000;
/** How long a start waits for a port that another daemon may be about to leave. */
const PORT_WAIT_MS = 5_000;
const PORT_RETRY_MS = 200;

export interface DaemonOptions {
  dataDirectory: string;
  host: string;
  /** 0 takes a free port. */
  port: number;
  /** Where other machines reach the remote object; only this one does without it. */
  network?: NetworkAddress;
  access: AccessSecrets;
  /** Opens what the server sealed in the options of devices. */
  secrets: Pick<SecretBox, 'open'>;
  version: string;
  /** How long it goes on without a server, s; null for ever. */
  linger_s: number | null;
  /** Why the last one ended, where they end again and again. */
  crash_loop: string | null;
  /** How long it does no more than keep its outputs safe before it goes on, s. */
  safe_s: number;
  clock: Clock;
  configuration: KeptConfiguration;
  store: ControlStore;
  /** What a start falls back on. */
  lastKnown: { settled(): Promise<void> };
  writer: MeasurementWriter;
  reader: MeasurementReader;
  /** What the measurement store takes; rejects with what the system says. */
  space: () => Promise<StoreSpace>;
  /** Writes one line to the log. */
  log: (line: string) => void;
  /** Called when the service asks for the status, which tells that it is there. */
  asked: () => void;
  /** Called when a caller asked for an orderly stop. */
  terminate: () => void;
}

/** Another program listens where the daemon should. */
export class PortTakenError extends Error {
  readonly code = 'port_taken';

  constructor(port: number) {
    super(`port ${port} is taken by another program`);
    this.name = 'PortTakenError';
  }
}

/** The control daemon: takes up its outputs safely, reads its inputs, serves its remote object, and leaves in order. */
export class Daemon {
  readonly #options: DaemonOptions;
  readonly #events: EventRing;
  readonly #alarms: Alarms;
  readonly #conditions: DaemonConditions;
  readonly #gateConditions: GateConditions;
  readonly #watchdog: Watchdog;
  readonly #clockWatch: ClockWatch;
  readonly #live: LiveValues;
  readonly #families: DriverFamilies;
  readonly #safety: Safety;
  readonly #outputs: Outputs;
  readonly #inputs: Inputs;
  readonly #lcds: Lcds;
  readonly #care: MeasurementCare;
  readonly #activation: Activation;
  readonly #commissioning: Commissioning;
  readonly #remote: RemoteServer;
  readonly #network: NetworkAccess | undefined;
  #lock: InstanceLock | undefined;
  /** What is wrong with what is stored; alarms of it are raised once the daemon keeps some. */
  readonly #storeConditions = new Map<StoreCondition['code'], StoreCondition>();
  #keepsAlarms = false;
  #looking: Timer | undefined;
  #startedAt = '';
  #starting: Promise<void> | undefined;
  #isStopping = false;

  constructor(options: DaemonOptions) {
    this.#options = options;
    const { clock, store, writer, log, configuration } = options;
    this.#events = new EventRing(clock);
    this.#alarms = new Alarms({
      ...{ clock, events: this.#events, store, log },
      delays: () => ({ out_of_band: this.#safety.plan.limits.out_of_band_delay_s ?? 0 }),
    });
    this.#conditions = new DaemonConditions({ clock, configuration, alarms: this.#alarms, events: this.#events });
    this.#watchdog = new Watchdog({
      ...{ clock, alarms: this.#alarms },
      makeSafe: (controllerId, outputs) => void this.#outputs.letGo(controllerId, outputs),
    });
    const watchdog = this.#watchdog;
    const clockWatch = new ClockWatch({
      ...{ clock, log, alarms: this.#alarms },
      file: join(options.dataDirectory, 'daemon.clock'),
    });
    this.#clockWatch = clockWatch;
    this.#live = new LiveValues(clock, this.#events);
    this.#families = new DriverFamilies({ clock, log, dataDirectory: options.dataDirectory });
    this.#safety = new Safety({ clock, configuration, store, log, events: this.#events });
    this.#outputs = new Outputs({
      ...{ alarms: this.#alarms, watchdog, clock, store, log, events: this.#events, safety: this.#safety },
      connect: (output, signal) => this.#connect(output, 'output', signal),
    });
    this.#gateConditions = new GateConditions({
      ...{ clock, configuration, alarms: this.#alarms, events: this.#events },
      plan: () => this.#safety.plan,
      stateOf: (ref) => this.#outputs.stateOf(ref),
    });
    this.#inputs = new Inputs({
      ...{ clock, writer, watchdog, live: this.#live, events: this.#events },
      conversion: (measurement, unit) => configuration.conversion(measurement, unit),
      outputs: new InputOutputs({ clock, command: (command) => this.#outputs.command(command) }),
      connect: (input, signal) => this.#connect(input, 'input', signal),
    });
    this.#lcds = new Lcds({
      ...{ clock, watchdog, live: this.#live, events: this.#events, timeZone: () => configuration.timeZone() },
      connect: (lcd, signal) => this.#connect({ ...lcd, channels: [] }, 'lcd', signal),
    });
    this.#care = new MeasurementCare({
      ...{ clock, writer, log, events: this.#events, outputs: this.#outputs },
      retention: () => configuration.retention(),
      trustedMs: () => clockWatch.trustedMs(),
      space: options.space,
      tell: (condition) => this.storeCondition(condition),
    });
    this.#activation = new Activation({
      ...{ configuration, store, events: this.#events, inputs: this.#inputs, outputs: this.#outputs, lcds: this.#lcds },
    });
    this.#commissioning = new Commissioning({
      ...{ clock, configuration, store, log },
      ...{ outputs: this.#outputs, live: this.#live, events: this.#events, judge: new WorkerJudge() },
    });
    const methods = this.#methods();
    this.#remote = this.#newRemote(methods);
    this.#network = options.network && new NetworkAccess({ ...options, ...options.network, methods });
  }

  get #lockFile(): string {
    return join(this.#options.dataDirectory, 'daemon.lock');
  }

  /** The port that is served; undefined while stopped. */
  get port(): number | undefined {
    return this.#remote.port;
  }

  /**
   * Outputs first, then readings, then the remote object; nothing that the disk refuses keeps outputs from being safe. Throws LockedError
   * when another daemon has the data directory, what SQLite says where no settings were ever read, and the system's error when the port
   * cannot be had within five seconds.
   */
  start(): Promise<void> {
    this.#starting = this.#takeUp();
    return this.#starting;
  }

  async #takeUp(): Promise<void> {
    const { clock, configuration, store } = this.#options;
    this.#hold();
    markEnding(this.#lockFile, false);
    this.#startedAt = new Date(clock.now()).toISOString();
    configuration.start();
    const left = await this.#load();
    this.#alarms.start(left.alarms);
    this.#clockWatch.start();
    this.#conditions.start({ ...left, crash_loop: this.#options.crash_loop });
    this.#tellStoreConditions();
    this.#activation.start(left.asked);
    this.#safety.start(left.emergency_stop, () => this.#outputs.reconsider());
    await within(store.markRun(false), { clock, timeoutMs: NOTE_MS, late: () => undefined });
    this.#watchdog.start();
    this.#gateConditions.start();
    this.#care.start();
    this.#lookLater();
    await this.#takeUpOutputs(left);
    if (this.#isStopping) return;
    for (const input of configuration.inputs()) if (this.#activation.isWanted(input)) this.#inputs.activate(input);
    for (const lcd of configuration.lcds()) if (this.#activation.isWanted(lcd)) this.#lcds.activate(lcd);
    await within(this.#commissioning.start(), { clock, timeoutMs: SAFE_FIRST_MS, late: () => undefined });
    await this.#serve();
    await this.#serveNetwork();
    this.#events.push({ kind: 'daemon', state: 'started', message: `version ${this.#options.version}` });
  }

  /**
   * Does no more than drive every output safe, for where no service can start: it measures and serves nothing. Resolves when all are safe,
   * at once where the last daemon ended in order, and with false after `patience_s`. Throws as `start`.
   */
  async goSafe(patience_s: number): Promise<boolean> {
    const { clock, configuration } = this.#options;
    this.#hold();
    configuration.start();
    const left = await this.#load();
    if (left.ended_orderly) return true;
    this.#activation.start(left.asked);
    this.#startedAt = new Date(clock.now()).toISOString();
    this.#alarms.start(left.alarms);
    this.#safety.start(left.emergency_stop, () => this.#outputs.reconsider());
    void this.#outputs.start(this.#activeOutputs(), left, true);
    const giveUpAt = clock.elapsed() + patience_s * 1000;
    while (!this.#outputs.areSafe()) {
      if (this.#isStopping || clock.elapsed() >= giveUpAt) return false;
      await new Promise<void>((resolve) => void clock.after(SAFE_POLL_MS, resolve));
    }
    return true;
  }

  /** One data directory, one daemon. Where the disk takes no lock nobody else can write there either; the port is held all the same. */
  #hold(): void {
    try {
      this.#lock ??= acquireInstanceLock(this.#lockFile);
    } catch (error) {
      if (error instanceof LockedError) throw error;
      this.#options.log(`${this.#lockFile} cannot be held: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** What the last daemon left. A disk that was full may not know of its end: the lock does. */
  async #load(): Promise<ControlState> {
    const left = await this.#options.store.load();
    return { ...left, ended_orderly: left.ended_orderly && this.#lock?.wasReleased === true };
  }

  /** Safe first; what the last daemon left comes back at once, or where others fell before after a while of being safe. */
  async #takeUpOutputs(left: ControlState): Promise<void> {
    const { clock, safe_s } = this.#options;
    const taken = this.#outputs.start(this.#activeOutputs(), left, safe_s > 0);
    await within(taken, { clock, timeoutMs: SAFE_FIRST_MS, late: () => undefined });
    if (safe_s === 0) return;
    await new Promise<void>((resolve) => void clock.after(safe_s * 1000, resolve));
    if (!this.#isStopping) this.#outputs.comeBack();
  }

  #activeOutputs(): Output[] {
    return this.#options.configuration.outputs().filter((output) => this.#activation.isWanted(output));
  }

  #lookLater(): void {
    this.#looking = this.#options.clock.after(LOOK_MS, () => {
      this.#lookLater();
      this.#look();
    });
  }

  /** Takes up what the disk kept it from. */
  #look(): void {
    const { configuration, log } = this.#options;
    try {
      if (this.#lock === undefined) this.#hold();
    } catch (error) {
      log(String(error)); // another one holds it: two of them command the same outputs, and a person must choose
    }
    this.#activation.look();
    if (!configuration.look()) return;
    this.#activation.refreshAll().catch((error: unknown) => log(`changed settings: ${String(error)}`));
  }

  /** Takes under two seconds whatever the devices do; outputs are left as configured, or all safe when that is forced. */
  async stop(isSafeForced = false): Promise<void> {
    const { clock, store, log } = this.#options;
    this.#isStopping = true;
    this.#looking?.cancel();
    this.#watchdog.stop();
    if (this.#lock !== undefined) markEnding(this.#lockFile, true);
    const ended = [this.#starting ?? Promise.resolve(), this.#commissioning.stop()];
    await within(Promise.allSettled(ended), { clock, timeoutMs: STOP_START_MS, late: () => [] });
    this.#events.push({ kind: 'daemon', state: 'stopping', message: 'stopping in order' });
    const remote = Promise.all([this.#remote.stop(), this.#network?.stop()]);
    const outputs = { clock, timeoutMs: STOP_OUTPUTS_MS, late: () => false };
    const inputs = within(Promise.all([this.#inputs.stop(), this.#lcds.stop()]), { ...outputs, late: () => undefined });
    const isOrderly = await within(this.#outputs.stop(isSafeForced), outputs);
    if (!isOrderly) log('not every output could be brought to its state in time');
    await inputs;
    this.#care.stop();
    this.#live.stop();
    this.#safety.stop();
    this.#conditions.stop();
    this.#gateConditions.stop();
    const clockKept = this.#clockWatch.stop();
    this.#alarms.stop();
    const stores = { clock, timeoutMs: STOP_STORES_MS, late: () => undefined };
    if (isOrderly && this.#lock !== undefined) await within(store.markRun(true), stores);
    await within(Promise.all([this.#closeStores(), remote, clockKept]), stores);
    this.#lock?.release();
  }

  /** Takes note of what is wrong with what is stored; control goes on without it. */
  storeCondition(condition: StoreCondition): void {
    this.#options.log(condition.message);
    if (this.#keepsAlarms) alarmOfStore(this.#alarms, condition);
    else this.#storeConditions.set(condition.code, condition);
  }

  /** Those that came before there was anybody to tell. */
  #tellStoreConditions(): void {
    this.#keepsAlarms = true;
    for (const condition of this.#storeConditions.values()) alarmOfStore(this.#alarms, condition);
    this.#storeConditions.clear();
  }

  async #closeStores(): Promise<void> {
    const { store, reader, writer, configuration } = this.#options;
    await Promise.all([store.close(), writer.close(), reader.close(), this.#families.close()]);
    configuration.close();
    await this.#options.lastKnown.settled();
  }

  async #connect(
    { unique_id, driver, options, channels }: ConfiguredDevice,
    kind: DeviceKind,
    signal: AbortSignal,
  ): Promise<Device> {
    const numbers = channels.map(({ channel }) => channel).sort((a, b) => a - b);
    const opened = openedOptions(options, this.#options.secrets);
    return this.#families.connect({ device_id: unique_id, driver, kind, options: opened, channels: numbers }, signal);
  }

  /** A port that is taken may be that of a daemon which is about to end. */
  async #serve(): Promise<void> {
    const { clock } = this.#options;
    const giveUpAt = clock.elapsed() + PORT_WAIT_MS;
    while (!this.#isStopping) {
      try {
        return await this.#remote.start();
      } catch (error) {
        const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
        if (!isTaken) throw error;
        if (clock.elapsed() >= giveUpAt) throw new PortTakenError(this.#options.port);
        await new Promise<void>((resolve) => void clock.after(PORT_RETRY_MS, resolve));
      }
    }
  }

  /** That other machines cannot reach it is no reason not to control. */
  async #serveNetwork(): Promise<void> {
    try {
      await this.#network?.start();
    } catch (error) {
      this.#options.log(`other machines cannot reach the remote object: ${String(error)}`);
    }
  }

  #methods(): Record<string, RemoteMethod> {
    const { clock, configuration, reader, writer } = this.#options;
    return remoteObject({
      activation: this.#activation,
      commissioning: this.#commissioning,
      inputs: this.#inputs,
      outputs: this.#outputs,
      safety: this.#safety,
      lcds: this.#lcds,
      live: this.#live,
      events: this.#events,
      alarms: this.#alarms,
      families: this.#families,
      ...{ clock, configuration, reader, writer },
      status: (isServer) => this.#status(isServer),
      terminate: (by) => this.#terminate(by),
    });
  }

  #terminate(by: string | undefined): void {
    // Told before anything ends: a server must know whom to name.
    if (by !== undefined) {
      this.#events.push({ kind: 'daemon', state: 'stopping', message: `told to stop by ${by}`, ended_by: by });
    }
    this.#options.terminate();
  }

  #newRemote(methods: Record<string, RemoteMethod>): RemoteServer {
    const { host, port, log, access } = this.#options;
    const onFault = (error: unknown): void => log(`a remote call failed: ${String(error)}`);
    return new RemoteServer({
      ...{ objectId: daemonObjectId, methods, host, port, onFault },
      ...{ admit: loopbackCaller(access), trusted: serverCaller },
    });
  }

  #status(isServer: boolean): DaemonStatus {
    if (isServer) this.#options.asked();
    const { dataDirectory, version, linger_s } = this.#options;
    return {
      instance_id: this.#lock?.instance_id ?? readInstanceId(this.#lockFile) ?? '',
      boot_id: this.#events.boot_id,
      version,
      pid: process.pid,
      data_directory_id: dataDirectoryId(dataDirectory),
      started_at: this.#startedAt,
      linger_s,
      controllers: this.#activation.statuses().length,
      trusted_at: new Date(this.#clockWatch.trustedMs()).toISOString(),
      is_service: isServer,
    };
  }
}

interface ConfiguredDevice {
  unique_id: string;
  driver: string;
  options: Record<string, unknown>;
  channels: readonly { channel: number }[];
}
