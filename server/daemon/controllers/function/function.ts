import type { ControllerStatus } from '../../../contract/daemon.ts';
import {
  functionOutputs,
  functionReads,
  type FunctionLive,
  type FunctionSettings,
} from '../../../contract/function.ts';
import type { MeasuredChannel } from '../../../contract/measured.ts';
import { messageOf } from '../../../contract/message-of.ts';
import type { ControlMeasurement } from '../../../contract/pid.ts';
import type { Quantity } from '../../../domain/control/functions/derived.ts';
import type { SampleSink } from '../../../measurement/store.ts';
import type { Watched, Watchdog } from '../../alarms/watchdog.ts';
import type { Clock } from '../../clock.ts';
import type { LiveValues } from '../../events/live-values.ts';
import { Grid, spreadMs } from '../../grid.ts';
import type { Outputs } from '../output/outputs.ts';
import { OwnSeries } from '../own-series.ts';
import type { ActingController } from '../running-controllers.ts';
import { FunctionDrive } from './function-drive.ts';
import { missing, type Found, type Law } from './law.ts';
import { lawOf } from './laws.ts';

/** Silence beyond the period that makes it count as stalled, s. */
const STALLED_S = 60;

export interface FunctionHost {
  clock: Clock;
  live: Pick<LiveValues, 'last' | 'record' | 'keep' | 'forget'>;
  writer: SampleSink;
  outputs: Outputs;
  watchdog: Pick<Watchdog, 'watch'>;
  /** What it stores, by its settings. */
  channelsOf: (settings: FunctionSettings) => readonly MeasuredChannel[];
  /** Where its grid begins within its period, 0 to 1; 0 when absent. */
  phase?: number;
  told: (live: FunctionLive) => void;
  statusChanged: (status: ControllerStatus) => void;
}

/** A function at work: on each tick of its grid it works out its values, or drives its outputs by them. */
export class FunctionController implements ActingController<FunctionSettings> {
  readonly #host: FunctionHost;
  readonly #law: Law<unknown>;
  readonly #drive: FunctionDrive;
  readonly #series: OwnSeries;
  #settings: FunctionSettings;
  #grid: Grid | undefined;
  #watched: Watched | undefined;
  #live: FunctionLive;
  #failure: string | null = null;
  #hasRead = false;
  #startedAt = 0;

  constructor(settings: FunctionSettings, host: FunctionHost) {
    this.#settings = settings;
    this.#host = host;
    this.#live = this.#nothing();
    this.#law = lawOf(settings.kind);
    this.#drive = new FunctionDrive(host.outputs, () => this.#settings);
    const channels = (): readonly MeasuredChannel[] => host.channelsOf(this.#settings);
    this.#series = new OwnSeries(settings.unique_id, { ...host, channels }, { least_s: 0, isTold: true });
  }

  get id(): string {
    return this.#settings.unique_id;
  }

  start(): void {
    this.#startedAt = this.#host.clock.elapsed();
    this.#run();
  }

  /** Nothing is looked at after this. */
  async stop(): Promise<void> {
    this.#watched?.end();
    await this.#grid?.stop();
  }

  /** Its outputs are safe and free, and nobody goes by its values. */
  async letGo(): Promise<boolean> {
    await this.#drive.letGo();
    this.#series.end();
    this.#live = this.#nothing();
    this.#host.told(this.#live);
    return true;
  }

  /** Outputs that it no longer drives go safe; another period begins another grid. */
  async reconfigure(settings: FunctionSettings): Promise<void> {
    const before = this.#settings;
    this.#settings = settings;
    this.#series.refresh();
    if (drivenBy(settings) !== drivenBy(before)) await this.#drive.letGo();
    if (settings.options.period_s === before.options.period_s) return;
    await this.stop();
    this.#run();
  }

  status(): ControllerStatus {
    const state = this.#failure === null ? 'running' : 'failed';
    return { controller_id: this.id, controller_type: 'Function', state, reason: this.#failure };
  }

  live(): FunctionLive {
    return this.#live;
  }

  #run(): void {
    const { clock, watchdog, phase = 0 } = this.#host;
    const { name, options } = this.#settings;
    const periodMs = options.period_s * 1000;
    this.#watched = watchdog.watch({
      source_kind: 'controller',
      source_id: this.id,
      source_name: name,
      outputs: functionOutputs(this.#settings).map(([, output]) => output),
      limit_s: 3 * options.period_s + STALLED_S,
      beginAnew: () => {
        this.#watched?.end();
        void this.#grid?.stop(); // its tick may never end
        this.#run();
      },
    });
    const offsetMs = spreadMs(phase, periodMs);
    this.#grid = new Grid({ clock, periodMs, offsetMs, tick: () => this.#tick(), ticked: () => this.#watched?.beat() });
    this.#grid.start();
  }

  async #tick(): Promise<void> {
    let of_ms: number | undefined;
    const read = (series: ControlMeasurement): Quantity | null => {
      const last = this.#read(series);
      if (last !== null) of_ms = Math.min(of_ms ?? Infinity, last.time_ms);
      return last;
    };
    try {
      const found = await this.#law.look(this.#settings.options, { read, drive: this.#drive });
      this.#take(found, found.failure === null ? of_ms : undefined);
    } catch (error) {
      this.#say(messageOf(error));
    }
  }

  #take({ values, shown = values[0] ?? null, is_on = null, because = null, failure }: Found, of_ms?: number): void {
    const { clock, told } = this.#host;
    this.#series.keep(({ channel, unit }) => {
      const found = values[channel] ?? null;
      return found?.unit === unit ? found.value : null; // a number of another unit would be a lie
    }, of_ms);
    if (shown !== null) this.#hasRead = true;
    const { value = null, unit = null } = shown ?? {};
    const at = new Date(clock.now()).toISOString();
    this.#live = { function_id: this.id, value, unit, is_on, because, at };
    told(this.#live);
    this.#say(failure === missing && this.#isAwaiting() ? null : failure);
  }

  /** After a start the first reading may take as long as any other. */
  #isAwaiting(): boolean {
    const oldest_s = Math.max(...functionReads(this.#settings).map(({ series }) => series.max_age_s));
    return !this.#hasRead && this.#host.clock.elapsed() - this.#startedAt < oldest_s * 1000;
  }

  #read({ device_id, measurement_id, max_age_s }: ControlMeasurement): (Quantity & { time_ms: number }) | null {
    const last = this.#host.live.last(device_id, measurement_id, max_age_s);
    if (last === undefined || last.value === null || last.quality !== 'good') return null;
    return { value: last.value, unit: last.unit, time_ms: last.time_ms };
  }

  #nothing(): FunctionLive {
    return { function_id: this.id, value: null, unit: null, is_on: null, because: null, at: null };
  }

  #say(failure: string | null): void {
    if (failure === this.#failure) return;
    this.#failure = failure;
    this.#host.statusChanged(this.status());
  }
}

/** Which outputs its settings drive and how, to tell whether they have changed. */
function drivenBy(settings: FunctionSettings): string {
  const { options } = settings;
  return JSON.stringify([functionOutputs(settings), 'direction' in options ? options.direction : null]);
}
