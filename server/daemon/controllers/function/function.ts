import type { ControllerStatus } from '../../../contract/daemon.ts';
import {
  functionSeries,
  type FunctionLive,
  type FunctionOptions,
  type FunctionSettings,
} from '../../../contract/function.ts';
import { messageOf } from '../../../contract/message-of.ts';
import type { ControlMeasurement } from '../../../contract/pid.ts';
import { bangBang } from '../../../domain/control/functions/bang-bang.ts';
import type { Quantity } from '../../../domain/control/functions/derived.ts';
import type { Watched, Watchdog } from '../../alarms/watchdog.ts';
import type { Clock } from '../../clock.ts';
import type { LiveValues } from '../../events/live-values.ts';
import { Grid } from '../../grid.ts';
import type { Outputs } from '../output/outputs.ts';
import type { ActingController } from '../running-controllers.ts';
import { derive } from './derive.ts';

/** Silence beyond the period that makes it count as stalled, s. */
const STALLED_S = 60;

export interface FunctionHost {
  clock: Clock;
  live: Pick<LiveValues, 'last'>;
  outputs: Outputs;
  watchdog: Pick<Watchdog, 'watch'>;
  told: (live: FunctionLive) => void;
  statusChanged: (status: ControllerStatus) => void;
}

/** A function at work: on each tick of its grid it works out its value, or switches its output by it. */
export class FunctionController implements ActingController<FunctionSettings> {
  readonly #host: FunctionHost;
  #settings: FunctionSettings;
  #grid: Grid | undefined;
  #watched: Watched | undefined;
  #live: FunctionLive;
  #failure: string | null = null;
  #isOn = false;
  #isDriving = false;
  #hasRead = false;
  #startedAt = 0;

  constructor(settings: FunctionSettings, host: FunctionHost) {
    this.#settings = settings;
    this.#host = host;
    this.#live = this.#nothing();
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

  /** Its output is safe and free. */
  async letGo(): Promise<boolean> {
    await this.#release();
    this.#live = this.#nothing();
    this.#host.told(this.#live);
    return true;
  }

  /** An output that it no longer drives goes safe; another period begins another grid. */
  async reconfigure(settings: FunctionSettings): Promise<void> {
    const before = this.#settings;
    this.#settings = settings;
    if (drivenBy(settings) !== drivenBy(before)) await this.#release();
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
    const { clock, watchdog } = this.#host;
    const { name, options } = this.#settings;
    const periodMs = options.period_s * 1000;
    this.#watched = watchdog.watch({
      source_kind: 'controller',
      source_id: this.id,
      source_name: name,
      outputs: 'output' in options ? [options.output] : [],
      limit_s: 3 * options.period_s + STALLED_S,
      beginAnew: () => {
        this.#watched?.end();
        void this.#grid?.stop(); // its tick may never end
        this.#run();
      },
    });
    this.#grid = new Grid({ clock, periodMs, tick: () => this.#tick(), ticked: () => this.#watched?.beat() });
    this.#grid.start();
  }

  async #tick(): Promise<void> {
    const settings = this.#settings;
    const read = (series: ControlMeasurement): Quantity | null => this.#read(series);
    try {
      if (settings.kind === 'bang_bang')
        this.#say(await this.#drive(settings.options, read(settings.options.measurement)));
      else this.#say(this.#tell(derive(settings, read), null));
    } catch (error) {
      this.#say(messageOf(error));
    }
  }

  /** Without a measurement the output is safe. Gives what is wrong; null where nothing is. */
  async #drive(options: FunctionOptions<'bang_bang'>, measured: Quantity | null): Promise<string | null> {
    const { outputs } = this.#host;
    const { name, unique_id } = this.#settings;
    if (measured === null) {
      this.#isOn = false;
      if (this.#isDriving) await outputs.driveSafe(unique_id, `function ${name}`);
      return this.#tell(null, null);
    }
    const { output_id, channel } = this.#claim(options);
    this.#isOn = bangBang(this.#isOn, options, measured.value);
    const because = this.#because(options, measured.value);
    this.#tell(measured, because);
    const cause = { kind: 'function', unique_id, name, because };
    const told = { source: 'automatic', actor: `function ${name}`, reason: because, cause } as const;
    const { outcome, message } = await outputs.command({ output_id, channel, state: this.#isOn, ...told }, 'standing');
    return outcome === 'failed' ? message : null;
  }

  /** Throws RemoteFailure where the output is not at work, and an Error that names who drives it already. */
  #claim({ output }: FunctionOptions<'bang_bang'>): { output_id: string; channel: number } {
    const { outputs } = this.#host;
    const { channel } = outputs.channel(output.output_id, output.channel).settings;
    const owner = outputs.drive(this.id, output.output_id, channel);
    if (owner !== undefined) throw new Error(`output_driven: ${output.output_id} is driven by ${owner}`);
    this.#isDriving = true;
    return { output_id: output.output_id, channel };
  }

  async #release(): Promise<void> {
    this.#isOn = false;
    this.#isDriving = false;
    await this.#host.outputs.letGo(this.id);
  }

  #because({ setpoint, hysteresis, direction }: FunctionOptions<'bang_bang'>, value: number): string {
    const levels = `${short(setpoint)} ± ${short(hysteresis)}`;
    return `${direction}: ${short(value)} by ${levels}: ${this.#isOn ? 'on' : 'off'}`;
  }

  /** Gives what is wrong with what it found; null where nothing is. */
  #tell(found: Quantity | null, because: string | null): string | null {
    const { clock, told } = this.#host;
    if (found !== null) this.#hasRead = true;
    this.#live = {
      function_id: this.id,
      value: found?.value ?? null,
      unit: found?.unit ?? null,
      is_on: because === null ? null : this.#isOn,
      because,
      at: new Date(clock.now()).toISOString(),
    };
    told(this.#live);
    return found !== null || this.#isAwaiting() ? null : 'a measurement is missing, bad or too old';
  }

  /** After a start the first reading may take as long as any other. */
  #isAwaiting(): boolean {
    const oldest_s = Math.max(...functionSeries(this.#settings).map(([, { max_age_s }]) => max_age_s));
    return !this.#hasRead && this.#host.clock.elapsed() - this.#startedAt < oldest_s * 1000;
  }

  #read({ device_id, measurement_id, max_age_s }: ControlMeasurement): Quantity | null {
    const last = this.#host.live.last(device_id, measurement_id, max_age_s);
    if (last === undefined || last.value === null || last.quality !== 'good') return null;
    return { value: last.value, unit: last.unit };
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

function drivenBy({ options }: FunctionSettings): string {
  return 'output' in options ? JSON.stringify([options.output, options.direction]) : '';
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}
