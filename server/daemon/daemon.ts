import { join } from 'node:path';
import type { DaemonStatus } from '../contract/daemon.ts';
import type { Output } from '../contract/output.ts';
import { messageOf } from '../contract/message-of.ts';
import {
  acquireInstanceLock,
  dataDirectoryId,
  markEnding,
  readInstanceId,
  type InstanceLock,
} from '../db/instance-lock.ts';
import { LockedError } from '../db/lock-file.ts';
import type { StoreCondition } from '../measurement/store.ts';
import { within, type Timer } from './clock.ts';
import { composeParts, type DaemonParts, type PartsOptions } from './compose.ts';
import type { ControlState } from './store/control-store.ts';
import { inputs } from './controllers/input/kind.ts';
import { conditionals } from './controllers/conditional/kind.ts';
import { functions } from './controllers/function/kind.ts';
import { lcds } from './controllers/lcd/kind.ts';
import { pids } from './controllers/pid/kind.ts';
import { triggers } from './controllers/trigger/kind.ts';
import { remoteObject } from './remote/remote.ts';
import { Serving, type ServingOptions } from './serving.ts';

/** How long a start waits for devices before it serves: those that do not answer are driven safe afterwards. */
const safeFirstMs = 1_500;
/** How often `goSafe` checks whether the outputs are safe. */
const safePollMs = 100;
/**
 * How long a stop waits for a running start to notice it and for actuators under test to be brought back, then for
 * devices, and then for the databases.
 */
const stopStartMs = 400;
const stopOutputsMs = 1_200;
const stopStoresMs = 300;
/** The longest that a stop takes in all: the databases get the time that devices leave. */
const stopMs = stopStartMs + stopOutputsMs + stopStoresMs;
/** How long a stop that a program asked for waits until the server has read the event. */
const heardMs = 500;
/** How long a start waits for the disk to record that the daemon runs. */
const noteMs = 1_000;
/** How often it retries what the disk refused at its start, and stores changed settings. */
const lookMs = 5_000;

export interface DaemonOptions extends PartsOptions, ServingOptions {
  version: string;
  /** How long it runs without a server, s; null for ever. */
  linger_s: number | null;
  /** Why the last one ended, if daemons end again and again. */
  crash_loop: string | null;
  /** How long it only keeps its outputs safe before it goes on, s. */
  safe_s: number;
  /** Asked for while no daemon answered: it holds before anything is driven. */
  stop: { actor: string; reason: string | null } | null;
  /** The settings that a start falls back on. */
  lastKnown: { settled(): Promise<void> };
  /** Called when the service asks for the status, which shows that it is alive. */
  asked: () => void;
  /** Called when a caller asked for an orderly stop. */
  terminate: () => void;
}

/** The control daemon: takes up its outputs safely, reads its inputs, serves its remote object, and leaves in order. */
export class Daemon {
  readonly #options: DaemonOptions;
  readonly #parts: DaemonParts;
  readonly #serving: Serving;
  #lock: InstanceLock | undefined;
  #looking: Timer | undefined;
  #startedAt = '';
  #starting: Promise<void> | undefined;
  #isStopping = false;

  constructor(options: DaemonOptions) {
    this.#options = options;
    const parts = composeParts(options);
    this.#parts = parts;
    const { clock, configuration, reader, writer } = options;
    const methods = remoteObject({
      ...parts,
      clock,
      configuration,
      reader,
      writer,
      inputs: parts.controllers.of(inputs),
      lcds: parts.controllers.of(lcds),
      pids: parts.controllers.of(pids),
      conditionals: parts.controllers.of(conditionals),
      triggers: parts.controllers.of(triggers),
      functions: parts.controllers.of(functions),
      status: (isServer) => this.#status(isServer),
      terminate: (by) => this.#terminate(by),
    });
    this.#serving = new Serving(options, methods);
  }

  get #lockFile(): string {
    return join(this.#options.dataDirectory, 'daemon.lock');
  }

  /** The port it serves; undefined while stopped. */
  get port(): number | undefined {
    return this.#serving.port;
  }

  /**
   * Takes up outputs, then readings, then the remote object; whatever the disk refuses, outputs still go safe. Throws
   * LockedError when another daemon has the data directory, the SQLite error when no settings were ever read, and the
   * system's error when the port is not free within five seconds.
   */
  start(): Promise<void> {
    this.#starting = this.#takeUp();
    return this.#starting;
  }

  async #takeUp(): Promise<void> {
    const { clock, store, version } = this.#options;
    const { commissioning, events } = this.#parts;
    this.#hold();
    markEnding(this.#lockFile, false);
    const left = await this.#load();
    this.#startWatches(left);
    await within(store.markRun(false), { clock, timeoutMs: noteMs, late: () => undefined });
    this.#lookLater();
    await this.#takeUpOutputs(left);
    if (this.#isStopping) return;
    this.#takeUpOthers();
    await within(commissioning.start(), { clock, timeoutMs: safeFirstMs, late: () => undefined });
    await this.#serving.start();
    events.push({ kind: 'daemon', state: 'started', message: `version ${version}` });
  }

  /** Starts what watches and reports, before anything is driven. */
  #startWatches(left: ControlState): void {
    const { alarms, clockWatch, conditions, storeConditions, activation, safety } = this.#parts;
    const { watchdog, gateConditions, connectionConditions, care, outputs } = this.#parts;
    alarms.start(left.alarms);
    clockWatch.start();
    conditions.start({ ...left, crash_loop: this.#options.crash_loop });
    storeConditions.start();
    activation.start(left.asked);
    safety.start(left.emergency_stop, () => outputs.reconsider());
    const { stop } = this.#options;
    if (stop !== null && safety.emergency.held === null) void safety.emergency.begin(stop.actor, stop.reason);
    watchdog.start((controllerId, others) => void outputs.letGo(controllerId, others));
    gateConditions.start();
    connectionConditions.start();
    care.start();
  }

  /**
   * Only drives every output safe, for when no service can start: measures and serves nothing. Resolves with true when
   * all are safe, at once if the last daemon ended in order, and with false after `patience_s`. Throws as `start`.
   */
  async goSafe(patience_s: number): Promise<boolean> {
    const { clock } = this.#options;
    const { activation, alarms, safety, outputs } = this.#parts;
    this.#hold();
    const left = await this.#load();
    if (left.ended_orderly) return true;
    activation.start(left.asked);
    alarms.start(left.alarms);
    safety.start(left.emergency_stop, () => outputs.reconsider());
    void outputs.start(this.#activeOutputs(), left, true);
    const giveUpAtMs = clock.elapsed() + patience_s * 1000;
    while (!outputs.areSafe()) {
      if (this.#isStopping || clock.elapsed() >= giveUpAtMs) return false;
      await new Promise<void>((resolve) => void clock.after(safePollMs, resolve));
    }
    return true;
  }

  /**
   * One daemon for each data directory. If the disk takes no lock, no other process can write there either, and the
   * port still keeps a second daemon out.
   */
  #hold(): void {
    try {
      this.#lock ??= acquireInstanceLock(this.#lockFile);
    } catch (error) {
      if (error instanceof LockedError) throw error;
      this.#options.log(`${this.#lockFile} cannot be held: ${messageOf(error)}`);
    }
  }

  /**
   * Reads the settings, and returns what the last daemon left. A full disk may not have recorded its end: the lock has.
   */
  async #load(): Promise<ControlState> {
    const { clock, configuration, store } = this.#options;
    this.#startedAt = new Date(clock.now()).toISOString();
    configuration.start();
    const left = await store.load();
    return { ...left, ended_orderly: left.ended_orderly && this.#lock?.wasReleased === true };
  }

  /** Safe first. What the last daemon left comes back at once or, if others fell before, after a time of being safe. */
  async #takeUpOutputs(left: ControlState): Promise<void> {
    const { clock, safe_s } = this.#options;
    const { outputs } = this.#parts;
    const taken = outputs.start(this.#activeOutputs(), left, safe_s > 0);
    void left.late?.then((rows) => outputs.recall(rows));
    await within(taken, { clock, timeoutMs: safeFirstMs, late: () => undefined });
    if (safe_s === 0) return;
    await new Promise<void>((resolve) => void clock.after(safe_s * 1000, resolve));
    if (!this.#isStopping) outputs.comeBack();
  }

  /** Starts every kind but outputs, in the order of the list. */
  #takeUpOthers(): void {
    const { activation, controllers } = this.#parts;
    for (const [word, running] of controllers.entries()) {
      if (word === 'output') continue;
      for (const settings of this.#options.configuration.list(word)) {
        if (activation.isWanted(settings)) void running.activate(settings);
      }
    }
  }

  #activeOutputs(): Output[] {
    return this.#options.configuration.list('output').filter((output) => this.#parts.activation.isWanted(output));
  }

  #lookLater(): void {
    this.#looking = this.#options.clock.after(lookMs, () => {
      this.#lookLater();
      this.#look();
    });
  }

  /** Retries what the disk refused. */
  #look(): void {
    const { configuration, log } = this.#options;
    try {
      if (this.#lock === undefined) this.#hold();
    } catch (error) {
      log(String(error)); // another one holds it: two of them command the same outputs, and a person must choose
    }
    const { activation } = this.#parts;
    activation.look();
    if (!configuration.look()) return;
    activation.refreshAll().catch((error: unknown) => log(`changed settings: ${String(error)}`));
  }

  /**
   * Takes under two seconds whatever the devices do; outputs are left as configured, or all safe when that is forced.
   * Resolves with false if not every output was brought to its state in time.
   */
  async stop(isSafeForced = false): Promise<boolean> {
    const { clock, store, log } = this.#options;
    const { commissioning, controllers, events, watchdog } = this.#parts;
    const from = clock.elapsed();
    this.#isStopping = true;
    this.#looking?.cancel();
    watchdog.stop();
    if (this.#lock !== undefined) markEnding(this.#lockFile, true);
    const ended = [this.#starting ?? Promise.resolve(), commissioning.stop()];
    await within(Promise.allSettled(ended), { clock, timeoutMs: stopStartMs, late: () => [] });
    events.push({ kind: 'daemon', state: 'stopping', message: 'stopping in order' });
    const remote = this.#serving.stop();
    const isOrderly = await controllers.stop(isSafeForced, { clock, timeoutMs: stopOutputsMs });
    if (!isOrderly) log('not every output could be brought to its state in time');
    const watchesEnded = this.#stopWatches();
    const leftMs = (): number => Math.max(stopStoresMs, stopMs - (clock.elapsed() - from));
    const late = (): void => undefined;
    if (isOrderly && this.#lock !== undefined) await within(store.markRun(true), { clock, timeoutMs: leftMs(), late });
    // A process that exits while one of its threads still loads SQLite ends by SIGABRT.
    const closed = Promise.all([this.#closeStores(), remote, watchesEnded]);
    await within<unknown>(closed, { clock, timeoutMs: leftMs(), late });
    this.#lock?.release();
    return isOrderly;
  }

  /** Resolves once the trusted time is on disk. */
  #stopWatches(): Promise<void> {
    const { care, live, safety, conditions, gateConditions, connectionConditions, clockWatch, alarms } = this.#parts;
    care.stop();
    live.stop();
    safety.stop();
    conditions.stop();
    gateConditions.stop();
    connectionConditions.stop();
    const clockKept = clockWatch.stop();
    alarms.stop();
    return clockKept;
  }

  /** Takes a storage fault; control goes on. */
  storeCondition(condition: StoreCondition): void {
    this.#parts.storeConditions.tell(condition);
  }

  async #closeStores(): Promise<void> {
    const { store, reader, writer, configuration, lastKnown } = this.#options;
    await Promise.all([store.close(), writer.close(), reader.close(), this.#parts.families.close()]);
    configuration.close();
    await lastKnown.settled();
  }

  #terminate(by: string | undefined): void {
    const { terminate } = this.#options;
    if (by === undefined) return terminate();
    // The server must read the name before anything ends.
    const { events } = this.#parts;
    events.push({ kind: 'daemon', state: 'stopping', message: `told to stop by ${by}`, ended_by: by });
    void events.heard(heardMs).then(terminate);
  }

  #status(isServer: boolean): DaemonStatus {
    if (isServer) this.#options.asked();
    const { dataDirectory, version, linger_s } = this.#options;
    const { activation, clockWatch, events } = this.#parts;
    return {
      instance_id: this.#lock?.instance_id ?? readInstanceId(this.#lockFile) ?? '',
      boot_id: events.boot_id,
      version,
      pid: process.pid,
      data_directory_id: dataDirectoryId(dataDirectory),
      started_at: this.#startedAt,
      linger_s,
      controllers: activation.statuses().length,
      trusted_at: new Date(clockWatch.trustedMs()).toISOString(),
      is_service: isServer,
    };
  }
}
