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

/** How long a start waits for devices before it serves: those that do not answer are driven safe behind it. */
const safeFirstMs = 1_500;
/** How often one that only goes safe looks whether it is. */
const safePollMs = 100;
/** How long a stop waits for a start under way to notice and for what is tried to be brought back, for devices, and then for the databases. */
const stopStartMs = 400;
const stopOutputsMs = 1_200;
const stopStoresMs = 300;
/** How long all of it takes at most: what devices leave of it the databases have. */
const stopMs = stopStartMs + stopOutputsMs + stopStoresMs;
/** How long one that a program told to stop waits until the server has heard of it. */
const heardMs = 500;
/** How long a start waits for the disk to note that the daemon runs. */
const noteMs = 1_000;
/** How often it looks for what a disk kept it from at its start, and for changed settings to keep. */
const lookMs = 5_000;

export interface DaemonOptions extends PartsOptions, ServingOptions {
  version: string;
  /** How long it goes on without a server, s; null for ever. */
  linger_s: number | null;
  /** Why the last one ended, where they end again and again. */
  crash_loop: string | null;
  /** How long it does no more than keep its outputs safe before it goes on, s. */
  safe_s: number;
  /** What a start falls back on. */
  lastKnown: { settled(): Promise<void> };
  /** Called when the service asks for the status, which tells that it is there. */
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

  /** The port that is served; undefined while stopped. */
  get port(): number | undefined {
    return this.#serving.port;
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

  /** What judges and tells, before anything is driven. */
  #startWatches(left: ControlState): void {
    const { alarms, clockWatch, conditions, storeConditions, activation, safety } = this.#parts;
    const { watchdog, gateConditions, care, outputs } = this.#parts;
    alarms.start(left.alarms);
    clockWatch.start();
    conditions.start({ ...left, crash_loop: this.#options.crash_loop });
    storeConditions.start();
    activation.start(left.asked);
    safety.start(left.emergency_stop, () => outputs.reconsider());
    watchdog.start((controllerId, others) => void outputs.letGo(controllerId, others));
    gateConditions.start();
    care.start();
  }

  /**
   * Does no more than drive every output safe, for where no service can start: it measures and serves nothing. Resolves when all are safe,
   * at once where the last daemon ended in order, and with false after `patience_s`. Throws as `start`.
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

  /** One data directory, one daemon. Where the disk takes no lock nobody else can write there either; the port is held all the same. */
  #hold(): void {
    try {
      this.#lock ??= acquireInstanceLock(this.#lockFile);
    } catch (error) {
      if (error instanceof LockedError) throw error;
      this.#options.log(`${this.#lockFile} cannot be held: ${messageOf(error)}`);
    }
  }

  /** Reads the settings, and gives what the last daemon left. A disk that was full may not know of its end: the lock does. */
  async #load(): Promise<ControlState> {
    const { clock, configuration, store } = this.#options;
    this.#startedAt = new Date(clock.now()).toISOString();
    configuration.start();
    const left = await store.load();
    return { ...left, ended_orderly: left.ended_orderly && this.#lock?.wasReleased === true };
  }

  /** Safe first; what the last daemon left comes back at once, or where others fell before after a while of being safe. */
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

  /** Every kind that is not an output, in the order of the list. */
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

  /** Takes up what the disk kept it from. */
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

  /** Takes under two seconds whatever the devices do; outputs are left as configured, or all safe when that is forced. */
  async stop(isSafeForced = false): Promise<void> {
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
    // A process that exits while a thread of its own still loads SQLite ends by SIGABRT.
    const closed = Promise.all([this.#closeStores(), remote, watchesEnded]);
    await within<unknown>(closed, { clock, timeoutMs: leftMs(), late });
    this.#lock?.release();
  }

  /** Resolves when the disk has until when time has passed. */
  #stopWatches(): Promise<void> {
    const { care, live, safety, conditions, gateConditions, clockWatch, alarms } = this.#parts;
    care.stop();
    live.stop();
    safety.stop();
    conditions.stop();
    gateConditions.stop();
    const clockKept = clockWatch.stop();
    alarms.stop();
    return clockKept;
  }

  /** Takes note of what is wrong with what is stored; control goes on without it. */
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
    // Heard before anything ends: a server must know whom to name.
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
