import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { Temporal } from 'temporal-polyfill';
import { SecretBox } from '../../server/auth/secret-box.ts';
import type { LiveState } from '../../server/contract/daemon.ts';
import type { Input } from '../../server/contract/input.ts';
import type { Output } from '../../server/contract/output.ts';
import { KeptConfiguration } from '../../server/daemon/configuration/kept-configuration.ts';
import { Daemon } from '../../server/daemon/daemon.ts';
// Imported before time starts, which does not wait for a file to load.
import '../../server/daemon/drivers/simulated/index.ts';
import { LastKnown } from '../../server/daemon/store/last-known.ts';
import { openDatabase } from '../../server/db/open.ts';
import { AlarmRepository, type AlarmChange } from '../../server/db/repositories/alarm.ts';
import { InputRepository } from '../../server/db/repositories/input.ts';
import { OutputRepository } from '../../server/db/repositories/output.ts';
import type { MeasurementReader } from '../../server/measurement/reader.ts';
import { openMeasurementWriter } from '../../server/measurement/sqlite/writer.ts';
import type { MeasurementWriter, Sample, StateMark } from '../../server/measurement/store.ts';
import { DaemonControl } from '../../server/orangery_client.ts';
import { configure, daemonSite } from './daemon-site.ts';
import { testFolder } from './database.ts';
import { EquipmentWitness } from './equipment-witness.ts';
import { FastClock } from './fast-clock.ts';
import { MemoryControlStore } from './output-bench.ts';
import { indoorId, insertWeekSite, place } from './week-site.ts';

const token = 'the service itself';
const writtenAtOnce = 5_000;

/** Epoch ms of a time of the site's clock. */
export function momentOf(local: string): number {
  return Temporal.PlainDateTime.from(local).toZonedDateTime(place.time_zone).epochMilliseconds;
}

/** The site's clock at a moment, to the second. */
export function localOf(atMs: number): string {
  const local = Temporal.Instant.fromEpochMilliseconds(Math.floor(atMs)).toZonedDateTimeISO(place.time_zone);
  return local.toPlainDateTime().toString({ smallestUnit: 'second' });
}

/** What a disk would keep, and the alarms that were written to it. */
class WeekStore extends MemoryControlStore {
  readonly alarms: string[] = [];
  readonly changes: AlarmChange[] = [];

  override async saveAlarms(change: AlarmChange): Promise<void> {
    const { alarms } = change;
    this.changes.push(structuredClone(change));
    for (const { code, source_name, name } of alarms) this.alarms.push(`${code} ${name ?? source_name ?? ''}`);
  }

  /** Contents of the disk when the power fails. */
  copy(): WeekStore {
    const copy = new WeekStore();
    for (const [key, row] of this.rows) copy.rows.set(key, structuredClone(row));
    for (const [key, row] of this.controllers) copy.controllers.set(key, structuredClone(row));
    copy.alarms.push(...this.alarms);
    copy.changes.push(...this.changes);
    return copy;
  }
}

interface Running {
  daemon: Daemon;
  control: DaemonControl;
}

/**
 * Copies a data directory without its lock, and without replacements of files that are not finished: they may vanish
 * meanwhile.
 */
function copySettled(from: string, to: string): void {
  cpSync(from, to, { recursive: true, filter: (file) => !/daemon\.lock|\.new$/.test(file) });
}

/** A house under real daemons for days on end: settings in a file, simulated devices, a disk in memory. */
export class Week {
  readonly log: string[] = [];
  readonly temperatures: { at_ms: number; value: number }[] = [];
  readonly equipment: EquipmentWitness;
  readonly #samples: Sample[] = [];
  readonly #marks: StateMark[] = [];
  #folder: string;
  #clock: FastClock;
  #store = new WeekStore();
  #now: Running | undefined;

  constructor(beginsMs: number) {
    this.#clock = new FastClock(beginsMs);
    this.equipment = new EquipmentWitness(() => this.#clock.now());
    this.#folder = daemonSite({}, testFolder(), insertWeekSite);
  }

  /** The raised alarms, as code and name. */
  get alarms(): ReadonlySet<string> {
    return new Set(this.#store.alarms);
  }

  async start(): Promise<void> {
    const log = (line: string): void => void this.log.push(line);
    const [clock, dataDirectory, tell] = [this.#clock, this.#folder, (): void => undefined];
    const lastKnown = new LastKnown(join(dataDirectory, 'last-known.json'), log);
    const daemon = new Daemon({
      host: '127.0.0.1',
      port: 0,
      version: '0.0.0',
      linger_s: null,
      crash_loop: null,
      safe_s: 0,
      stop: null,
      clock,
      dataDirectory,
      lastKnown,
      log,
      store: this.#store,
      writer: this.#writer(),
      reader: noHistory,
      access: { server_token: token, loopback_secret: undefined },
      secrets: new SecretBox(join(dataDirectory, 'secret.key')),
      configuration: new KeptConfiguration({ file: join(dataDirectory, 'orangery.db'), lastKnown, tell }),
      space: async () => ({ database_bytes: 0, free_bytes: 1e12 }),
      asked: () => undefined,
      terminate: () => undefined,
    });
    await this.#meanwhile(daemon.start());
    const pyro_uri = `PYRO:orangery.pyro_server@127.0.0.1:${daemon.port}`;
    this.#now = { daemon, control: new DaemonControl({ pyro_uri, pyro_handshake: token }) };
  }

  /** In order. */
  async stop(): Promise<void> {
    if (this.#now === undefined) return;
    const { daemon, control } = this.#now;
    this.#now = undefined;
    control.close();
    await this.#meanwhile(daemon.stop());
  }

  /** Epoch ms. */
  now(): number {
    return this.#clock.now();
  }

  /** Advances time to a moment, epoch ms. */
  async until(atMs: number): Promise<void> {
    await this.#clock.advance(atMs - this.#clock.now());
  }

  live(): Promise<LiveState> {
    return this.#meanwhile(this.#running.control.live_state());
  }

  /** Changes the settings of a device, like the service does. */
  async set(device: { input: Input } | { output: Output }): Promise<void> {
    configure(this.#folder, (database) => {
      if ('input' in device) new InputRepository(database).update(device.input);
      else new OutputRepository(database).update(device.output);
    });
    const { unique_id } = 'input' in device ? device.input : device.output;
    await this.#meanwhile(this.#running.control.controller_refresh(unique_id));
  }

  /** A power cut: what is not on the disk is lost, and a new daemon starts later. */
  async cutPower(backAt: string): Promise<void> {
    const left = this.#store.copy();
    this.equipment.unplug();
    const folder = testFolder();
    copySettled(this.#folder, folder);
    await this.stop(); // of the dead one, whose disk and equipment no longer matter
    [this.#folder, this.#store, this.#clock] = [folder, left, new FastClock(momentOf(backAt))];
    await this.start();
  }

  /** An orderly stop, and a start so much later. */
  async restart(after_s: number): Promise<void> {
    await this.stop();
    this.equipment.unplug();
    await this.#clock.advance(after_s * 1000);
    await this.start();
  }

  /**
   * Copies its files to a folder, with the contents of the disk in memory: readings, states and alarms. A service can
   * open it.
   */
  async keepHistory(folder: string): Promise<void> {
    copySettled(this.#folder, folder);
    const control = openDatabase(join(folder, 'control.db'));
    const alarms = new AlarmRepository(control);
    for (const change of this.#store.changes) alarms.save(change);
    control.close();
    const writer = openMeasurementWriter(join(folder, 'measurements.db'));
    for (let from = 0; from < this.#samples.length; from += writtenAtOnce)
      await writer.write(this.#samples.slice(from, from + writtenAtOnce));
    for (let from = 0; from < this.#marks.length; from += writtenAtOnce)
      await writer.mark(this.#marks.slice(from, from + writtenAtOnce));
    await writer.close();
  }

  get #running(): Running {
    if (this.#now === undefined) throw new Error('nothing runs');
    return this.#now;
  }

  /** For what crosses a wire or reaches a real file: hardly any of the daemon's time passes meanwhile. */
  async #meanwhile<Answer>(answer: Promise<Answer>): Promise<Answer> {
    let isThere = false;
    const settled = answer.finally(() => (isThere = true));
    settled.catch(() => undefined);
    while (!isThere) await this.#clock.advance(1);
    return settled;
  }

  #writer(): MeasurementWriter {
    const write = async (samples: readonly Sample[]): Promise<void> => {
      this.#samples.push(...samples);
      for (const { device_id, channel, value, time_ms } of samples) {
        const isIndoor = device_id === indoorId && channel === 0;
        if (isIndoor && value !== null) this.temperatures.push({ at_ms: time_ms, value });
      }
    };
    const nothing = async (): Promise<void> => undefined;
    const mark = async (states: readonly StateMark[]): Promise<void> => void this.#marks.push(...states);
    return { write, mark, retain: () => undefined, check: nothing, close: nothing };
  }
}

const unread = async (): Promise<never> => {
  throw new Error('no measurement is kept');
};
const noHistory: MeasurementReader = {
  last: unread,
  trend: unread,
  aggregate: unread,
  exportPage: unread,
  means: unread,
  amounts: unread,
  metered: unread,
  bandTimes: unread,
  stateTimes: unread,
  states: unread,
  switches: unread,
  close: async () => undefined,
};
