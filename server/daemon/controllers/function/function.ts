import type { ControllerStatus } from '../../../contract/daemon.ts';
import {
  commandsOf,
  functionOutputs,
  functionReads,
  type FunctionLive,
  type FunctionSettings,
} from '../../../contract/function.ts';
import type { FunctionCommand } from '../../../contract/functions/definition.ts';
import type { MeasuredChannel } from '../../../contract/measured.ts';
import { messageOf } from '../../../contract/message-of.ts';
import type { ControlMeasurement } from '../../../contract/pid.ts';
import type { Place } from '../../../domain/solar/sun-day.ts';
import type { Quantity } from '../../../domain/control/functions/derived.ts';
import { explained } from '../../../domain/control/reason-text.ts';
import type { SampleSink } from '../../../measurement/store.ts';
import type { Watched, Watchdog } from '../../alarms/watchdog.ts';
import type { Clock } from '../../clock.ts';
import type { LiveValues } from '../../events/live-values.ts';
import { Grid, spreadMs } from '../../grid.ts';
import type { Outputs } from '../output/outputs.ts';
import { OwnSeries } from '../own-series.ts';
import type { ActingController } from '../running-controllers.ts';
import { FunctionDrive } from './function-drive.ts';
import { missing, type Found, type Law } from '../../../domain/control/functions/laws/law.ts';
import { lawOf } from '../../../domain/control/functions/laws/law-list.ts';
import type { Tanks } from '../../../domain/control/functions/laws/tanks.ts';

/** Silence beyond its period after which it counts as stalled, s. */
const stalled_s = 60;
/** How often its accumulated state is stored, ms. */
const rememberMs = 10_000;

export interface FunctionHost {
  clock: Clock;
  live: Pick<LiveValues, 'last' | 'record' | 'keep' | 'forget'>;
  writer: SampleSink;
  outputs: Outputs;
  watchdog: Pick<Watchdog, 'watch'>;
  place: () => Place;
  tanks: Tanks;
  /** The JSON state that the last daemon stored; undefined when there is none. */
  kept: string | undefined;
  /** Stores its state as JSON; resolves once it is on disk. */
  remember: (state: string) => Promise<void>;
  /** The series that it stores, by its settings. */
  channelsOf: (settings: FunctionSettings) => readonly MeasuredChannel[];
  /** Offset of its grid within its period, 0 to 1; default 0. */
  phase?: number;
  told: (live: FunctionLive) => void;
  statusChanged: (status: ControllerStatus) => void;
}

/** A running function: on each tick of its grid it calculates its values, or drives its outputs by them. */
export class FunctionController implements ActingController<FunctionSettings> {
  readonly isRemembered = true;
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
  #rememberedAt = -Infinity;
  #looking: Promise<void> | undefined;

  constructor(settings: FunctionSettings, host: FunctionHost) {
    this.#settings = settings;
    this.#host = host;
    this.#live = this.#nothing();
    this.#law = lawOf(settings.kind, {
      kept: host.kept === undefined ? undefined : JSON.parse(host.kept),
      now: () => host.clock.now(),
      id: settings.unique_id,
      place: host.place,
      tanks: host.tanks,
      remember: (state) => this.#remember(state),
    });
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

  /** After this no tick runs. */
  async stop(): Promise<void> {
    this.#watched?.end();
    await this.#grid?.stop();
    this.#keepState();
  }

  /** Its outputs are safe and released, and its values are no longer current for readers. */
  async letGo(): Promise<boolean> {
    await this.#drive.letGo();
    this.#series.end();
    this.#live = this.#nothing();
    this.#host.told(this.#live);
    return true;
  }

  /** Outputs that it no longer drives go safe; another period starts another grid. */
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
      limit_s: 3 * options.period_s + stalled_s,
      beginAnew: () => {
        this.#watched?.end();
        void this.#grid?.stop(); // its tick may never end
        this.#run();
      },
    });
    const offsetMs = spreadMs(phase, periodMs);
    this.#grid = new Grid({ clock, periodMs, offsetMs, tick: () => this.#look(), ticked: () => this.#watched?.beat() });
    this.#grid.start();
  }

  commands(): readonly FunctionCommand[] {
    return commandsOf(this.#settings.kind);
  }

  /** Runs a command and returns the state after it. */
  async command(command: FunctionCommand): Promise<FunctionLive> {
    if (command === 'reset') {
      this.#law.reset?.();
      this.#keepState();
    }
    await this.#look();
    return this.#live;
  }

  /** One tick at a time, whoever asks for it. */
  #look(): Promise<void> {
    this.#looking ??= this.#tick().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #tick(): Promise<void> {
    let ofMs: number | undefined;
    const read = (series: ControlMeasurement): Quantity | null => {
      const last = this.#read(series);
      if (last !== null) ofMs = Math.min(ofMs ?? Infinity, last.time_ms);
      return last;
    };
    try {
      const found = await this.#law.look(this.#settings.options, { read, drive: this.#drive });
      this.#take(found, found.failure === null ? ofMs : undefined);
    } catch (error) {
      this.#say(messageOf(error));
    }
    if (this.#host.clock.elapsed() - this.#rememberedAt >= rememberMs) this.#keepState();
  }

  /** If the disk fails, the next tick tries again. */
  #keepState(): void {
    const state = this.#law.state?.();
    if (state !== undefined) this.#remember(state).catch(() => undefined);
  }

  #remember(state: unknown): Promise<void> {
    this.#rememberedAt = this.#host.clock.elapsed();
    return this.#host.remember(JSON.stringify(state));
  }

  #take(found: Found, ofMs?: number): void {
    const { values, shown = values[0] ?? null, is_on = null, reason = null, failure } = found;
    const { clock, told } = this.#host;
    this.#series.keep(({ channel, unit }) => {
      const one = values[channel] ?? null;
      return one?.unit === unit ? one.value : null; // a number of another unit would be a lie
    }, ofMs);
    if (shown !== null) this.#hasRead = true;
    const { value = null, unit = null } = shown ?? {};
    const at = new Date(clock.now()).toISOString();
    const progress = progressOf(found.progress ?? null, clock.now());
    const why = reason === null ? { because: null, reason } : explained(reason);
    this.#live = { function_id: this.id, value, unit, is_on, ...why, at, progress, values: this.#named(values) };
    told(this.#live);
    this.#say(failure === missing && this.#isAwaiting() ? null : failure);
  }

  #named(values: Found['values']): FunctionLive['values'] {
    return this.#series.channels().map(({ channel, name, unit }) => ({
      name,
      unit,
      value: values[channel]?.value ?? null,
    }));
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
    const nothing = { value: null, unit: null, is_on: null, because: null, reason: null, at: null, progress: null };
    return { function_id: this.id, ...nothing, values: [] };
  }

  #say(failure: string | null): void {
    if (failure === this.#failure) return;
    this.#failure = failure;
    this.#host.statusChanged(this.status());
  }
}

function progressOf(found: NonNullable<Found['progress']> | null, nowMs: number): FunctionLive['progress'] {
  if (found === null) return null;
  const { what, since_ms, until_ms } = found;
  const share = (nowMs - since_ms) / Math.max(1, until_ms - since_ms);
  const done_pct = Math.round(100 * Math.min(1, Math.max(0, share)));
  return { what, done_pct, ends_at: new Date(until_ms).toISOString() };
}

/** Which outputs its settings drive and how, for telling whether that changed. */
function drivenBy(settings: FunctionSettings): string {
  const { options } = settings;
  return JSON.stringify([functionOutputs(settings), 'direction' in options ? options.direction : null]);
}
