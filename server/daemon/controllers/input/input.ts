import { deviceSays } from '../../../contract/device-words.ts';
import type { ControllerStatus } from '../../../contract/daemon.ts';
import type { Input } from '../../../contract/input.ts';
import { messageOf } from '../../../contract/message-of.ts';
import type { SampleSink } from '../../../measurement/store.ts';
import { within, type Clock } from '../../clock.ts';
import { DriverError, type Device, type Reading } from '../../drivers/driver.ts';
import { Grid, spreadMs } from '../../grid.ts';
import type { LiveValues } from '../../events/live-values.ts';
import type { Watchdog, Watched } from '../../alarms/watchdog.ts';
import type { Controller } from '../controller.ts';
import { DeviceLink } from '../device-link.ts';
import { InputFaults } from './input-faults.ts';
import type { InputOutputs } from './input-outputs.ts';
import { InputValues, type Conversion } from './input-values.ts';

const shortestReadTimeoutMs = 1_000;
const longestReadTimeoutMs = 10_000;
const storeTimeoutMs = 10_000;
/** The longest that a stop waits for a device or the store, ms. */
const stopMs = 1_000;
/**
 * Silence, beyond what an input's settings explain, after which it counts as stalled, s; the second while it waits for
 * its turn at an output.
 */
const stalled_s = 60;
const stalledInTurn_s = 600;

export interface InputHost {
  clock: Clock;
  writer: SampleSink;
  live: LiveValues;
  outputs: Pick<InputOutputs, 'around' | 'powerCycle'>;
  watchdog: Pick<Watchdog, 'watch'>;
  /** Replaces this controller, which hangs, with a new one. */
  replace: () => void;
  conversion: Conversion;
  /** Offset of its grid within its period, 0 to 1, so that inputs do not all tick at once. */
  phase: number;
  connect: (input: Input, signal: AbortSignal) => Promise<Device>;
  statusChanged: (status: ControllerStatus) => void;
}

/** A completed reading. */
interface Taken {
  /** Resolves when it is on disk; absent when there was nothing to store. */
  stored?: Promise<void>;
}

/** A running input: reads its device on a fixed time grid, stores the readings, backs off while the device fails. */
export class InputController implements Controller {
  #input: Input;
  readonly #host: InputHost;
  #link: DeviceLink;
  #grid: Grid;
  readonly #faults: InputFaults;
  readonly #values: InputValues;
  #measuring: Promise<Taken> | undefined;
  #watched: Watched | undefined;
  readonly #stopped = new AbortController();

  constructor(input: Input, host: InputHost) {
    this.#input = input;
    this.#host = host;
    this.#values = new InputValues(host.conversion);
    this.#faults = new InputFaults(
      {
        clock: host.clock,
        changed: () => host.statusChanged(this.status()),
        cyclePower: () => this.#cyclePower(),
      },
      this.#periodMs,
    );
    this.#link = this.#newLink();
    this.#grid = this.#newGrid();
  }

  get id(): string {
    return this.#input.unique_id;
  }

  get settings(): Input {
    return this.#input;
  }

  /** Starts to connect and to read; returns at once. */
  start(): void {
    void this.#link.open();
    this.#grid.start();
    this.#watch();
  }

  async stop(): Promise<void> {
    this.#watched?.end();
    this.#stopped.abort(new DriverError('closed', deviceSays('input_stopped')));
    const ended = Promise.all([this.#link.close(), this.#grid.stop()]);
    await within(ended, { clock: this.#host.clock, timeoutMs: stopMs, late: () => undefined });
  }

  /** Takes changed settings: only other wiring reconnects, only another period starts another grid. */
  async reconfigure(input: Input): Promise<void> {
    const before = this.#input;
    this.#input = input;
    this.#watch();
    this.#host.live.forget(this.id, new Set(input.channels.map(({ measurement_id }) => measurement_id)));
    if (wiringOf(input) !== wiringOf(before)) {
      await this.#link.close();
      this.#link = this.#newLink();
      this.#faults.endPause();
      void this.#link.open();
    }
    if (input.period_s === before.period_s) return;
    await this.#grid.stop();
    this.#faults.changePeriod(this.#periodMs);
    this.#grid = this.#newGrid();
    this.#grid.start();
  }

  status(): ControllerStatus {
    const { reason } = this.#faults;
    const state = reason === null ? 'running' : 'failed';
    return { controller_id: this.id, controller_type: 'Input', state, reason };
  }

  /** Reads now; resolves once the reading is stored. Throws DriverError or the error of the store. */
  async measure(): Promise<void> {
    const { stored } = await this.#take();
    await stored;
  }

  /** One reading at a time, whoever asks for it. */
  #take(): Promise<Taken> {
    this.#measuring ??= this.#takeOne().finally(() => {
      this.#measuring = undefined;
    });
    return this.#measuring;
  }

  #newLink(): DeviceLink {
    return new DeviceLink({
      clock: this.#host.clock,
      connect: (signal) => this.#host.connect(this.#input, signal),
      changed: (failure) => (failure === null ? this.#connected() : this.#faults.failed(failure)),
    });
  }

  #connected(): void {
    this.#faults.connected();
    this.#link.device.listen?.((readings) => this.#heard(readings));
  }

  /** Readings that a device sends by itself are stored at once; the grid only checks that it still sends. */
  #heard(readings: readonly Reading[]): void {
    if (this.#stopped.signal.aborted) return;
    this.#succeeded(this.#keep(readings));
  }

  #newGrid(): Grid {
    const offsetMs = this.#input.start_offset_s * 1000 + spreadMs(this.#host.phase, this.#periodMs);
    const { clock } = this.#host;
    const ticked = (): void => this.#watched?.beat();
    return new Grid({ clock, periodMs: this.#periodMs, offsetMs, tick: () => this.#tick(), ticked });
  }

  #watch(): void {
    const { name, period_s, start_offset_s, pre_output } = this.#input;
    this.#watched?.end();
    this.#watched = this.#host.watchdog.watch({
      source_kind: 'input',
      source_id: this.id,
      source_name: name,
      limit_s: start_offset_s + 3 * period_s + (pre_output === null ? stalled_s : pre_output.lead_s + stalledInTurn_s),
      outputs: pre_output === null ? [] : [pre_output],
      beginAnew: () => this.#host.replace(),
    });
  }

  get #periodMs(): number {
    return this.#input.period_s * 1000;
  }

  get #readTimeoutMs(): number {
    return Math.min(Math.max(this.#periodMs, shortestReadTimeoutMs), longestReadTimeoutMs);
  }

  async #tick(): Promise<void> {
    if (!this.#link.isConnected || this.#faults.isResting) return;
    try {
      this.#succeeded(await this.#take());
    } catch (error) {
      if (this.#stopped.signal.aborted) return;
      this.#faults.readingFailed(messageOf(error));
    }
  }

  /** A disk error is not the sensor's fault: the store reports it, and the next reading does not wait for it. */
  #succeeded({ stored }: Taken): void {
    stored?.catch(() => undefined);
    this.#faults.succeeded();
  }

  async #cyclePower(): Promise<void> {
    try {
      await this.#host.outputs.powerCycle(this.#input, this.#stopped.signal);
    } catch (error) {
      if (!this.#stopped.signal.aborted) throw error;
    }
  }

  async #takeOne(): Promise<Taken> {
    return this.#keep(await this.#host.outputs.around(this.#input, () => this.#read(), this.#stopped.signal));
  }

  #keep(readings: readonly Reading[]): Taken {
    const { clock, writer, live } = this.#host;
    const at = { time_ms: Math.round(clock.now()), elapsedMs: clock.elapsed() };
    const samples = this.#values.samplesOf(this.#input, readings, at);
    if (samples.length === 0) return {};
    for (const sample of samples) live.record(sample);
    const late = (): never => refuseLate('timed_out', 'the readings could not be stored in time');
    return { stored: within(writer.write(samples), { clock, timeoutMs: storeTimeoutMs, late }) };
  }

  async #read(): Promise<readonly Reading[]> {
    const { device } = this.#link;
    if (device.read === undefined) throw new DriverError('unsupported', deviceSays('no_readings'));
    const timeout = new AbortController();
    const timeoutMs = this.#readTimeoutMs;
    const late = (): never => {
      timeout.abort();
      return refuseLate('timed_out', `the device did not answer within ${timeoutMs / 1000} s`);
    };
    const reading = device.read(AbortSignal.any([timeout.signal, this.#stopped.signal]));
    return within(reading, { clock: this.#host.clock, timeoutMs, late });
  }
}

/** The settings that an input's connection depends on. */
function wiringOf({ driver, options, channels }: Input): string {
  return JSON.stringify([driver, options, channels.map(({ channel }) => channel)]);
}

function refuseLate(code: 'timed_out', message: string): never {
  throw new DriverError(code, message);
}
