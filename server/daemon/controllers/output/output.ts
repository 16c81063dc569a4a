import type { ControllerStatus } from '../../../contract/daemon.ts';
import type { Output, OutputChannelState } from '../../../contract/output.ts';
import { messageOf } from '../../../contract/message-of.ts';
import { deviceSays } from '../../../contract/device-words.ts';
import type { OutputStateRow } from '../../../db/repositories/output-state.ts';
import { raiseable } from '../../alarms/alarm-key.ts';
import type { AlarmPort } from '../../alarms/alarms.ts';
import { within } from '../../clock.ts';
import { DriverError, type Actuating, type Device, type OutputValue, type Reckoning } from '../../drivers/driver.ts';
import { Grid } from '../../grid.ts';
import { canonical } from '../../drivers/output-value.ts';
import type { Watchdog, Watched } from '../../alarms/watchdog.ts';
import type { Controller } from '../controller.ts';
import { DeadManFeed } from './dead-man-feed.ts';
import { DeviceLink } from '../device-link.ts';
import { ControlledChannel } from './output-channel.ts';
import type { ChannelHost, Ended, EndedOverride } from './channel-host.ts';

const readBackMs = 5_000;
const readBackTimeoutMs = 4_000;
/** Failed read-backs in a row after which the state is unknown. */
const lostAfter = 2;
/** How long the read-back loop may be silent before it counts as stalled, s. */
const stalled_s = 60;

/** What an output needs from its surroundings: what its channels need, and its device. */
export interface OutputHost extends Omit<ChannelHost, 'output_id' | 'device' | 'changed' | 'overrideEnded'> {
  alarms: AlarmPort;
  watchdog: Pick<Watchdog, 'watch'>;
  /** Offset of its read-backs within their period, 0 to 1. */
  phase: number;
  connect: (output: Output, signal: AbortSignal) => Promise<Device>;
  channelChanged: (outputId: string, state: OutputChannelState, ended?: Ended) => void;
  overrideEnded: (outputId: string, ended: EndedOverride) => void;
  statusChanged: (status: ControllerStatus) => void;
}

export interface OutputStart {
  rows: readonly OutputStateRow[];
  isSafeFirst: boolean;
  /** Stays safe until the stored overrides and startup states may come back. */
  isHeldBack?: boolean;
}

/** A running output: the connection to its device, its channels, and the read-back of their state. */
export class OutputController implements Controller {
  #output: Output;
  readonly #host: OutputHost;
  #link: DeviceLink;
  #readBack: Grid;
  #watched: Watched | undefined;
  #feed: DeadManFeed | undefined;
  readonly #channels = new Map<number, ControlledChannel>();
  #failure: string | null = null;
  #missedReadings = 0;

  constructor(output: Output, host: OutputHost) {
    this.#output = output;
    this.#host = host;
    this.#link = this.#newLink();
    this.#readBack = this.#newReadBack();
    for (const { channel } of output.channels) this.#add(channel);
  }

  get id(): string {
    return this.#output.unique_id;
  }

  /** Connects and takes up control of every channel; resolves after the first attempts, which may have failed. */
  async start({ rows, isSafeFirst, isHeldBack }: OutputStart): Promise<void> {
    await this.#link.open();
    const rowOf = (channel: number): OutputStateRow | undefined =>
      rows.find((row) => row.output_id === this.id && row.channel === channel);
    const channels = [...this.#channels];
    await Promise.all(channels.map(([number, channel]) => channel.start(rowOf(number), isSafeFirst, isHeldBack)));
    this.#readBack.start();
    this.#watch();
  }

  /**
   * Leaves every channel safe, or as its settings say, and releases the device; false when a channel is not where it
   * should be.
   */
  async stop(isSafeForced: boolean): Promise<boolean> {
    this.#watched?.end();
    this.#watched = undefined;
    const readBackEnded = this.#readBack.stop();
    const left = await Promise.all([...this.#channels.values()].map((channel) => channel.shutDown(isSafeForced)));
    await this.#letGo();
    await readBackEnded;
    return left.every((isThere) => isThere);
  }

  /** The channel with this number, by default the lowest; undefined when there is none. */
  channel(number?: number): ControlledChannel | undefined {
    return this.#channels.get(number ?? Math.min(...this.#channels.keys()));
  }

  channels(): ControlledChannel[] {
    return [...this.#channels.values()];
  }

  status(): ControllerStatus {
    return {
      controller_id: this.id,
      controller_type: 'Output',
      state: this.#failure === null ? 'running' : 'failed',
      reason: this.#failure,
    };
  }

  /**
   * Takes changed settings. Only another driver, other options or other wiring make it reconnect, and only then may
   * anything move.
   */
  async reconfigure(output: Output): Promise<void> {
    const isRewired =
      output.driver !== this.#output.driver ||
      JSON.stringify(output.options) !== JSON.stringify(this.#output.options) ||
      wiringOf(output) !== wiringOf(this.#output);
    const isKept = (number: number): boolean => output.channels.some(({ channel }) => channel === number);
    const dropped = [...this.#channels].filter(([number]) => !isKept(number));
    await Promise.all(dropped.map(([, channel]) => channel.shutDown(true)));
    for (const [number] of dropped) this.#channels.delete(number);
    this.#output = output;
    for (const settings of output.channels) this.#channels.get(settings.channel)?.reconfigure(settings);
    if (isRewired) await this.#reconnect();
  }

  #newReadBack(): Grid {
    const { clock, phase } = this.#host;
    const offsetMs = readBackMs * (1 + phase);
    const ticked = (): void => this.#watched?.beat();
    return new Grid({ clock, periodMs: readBackMs, offsetMs, tick: () => this.#readState(), ticked });
  }

  #watch(): void {
    const { unique_id: source_id, name: source_name } = this.#output;
    const beginAnew = (): void => void this.#beginAnew();
    this.#watched = this.#host.watchdog.watch({
      source_kind: 'output',
      source_id,
      source_name,
      limit_s: stalled_s,
      outputs: [],
      beginAnew,
    });
  }

  /** Drives its channels safe, also over a new connection. Does not wait for calls that hang. */
  async #beginAnew(): Promise<void> {
    void this.#readBack.stop();
    this.#readBack = this.#newReadBack();
    for (const channel of this.#channels.values()) void channel.stopNow();
    await this.#reconnect();
    if (this.#watched === undefined) return this.#letGo(); // it was stopped meanwhile
    this.#readBack.start();
  }

  async #letGo(): Promise<void> {
    this.#feed?.stop();
    this.#feed = undefined;
    await this.#link.close();
  }

  async #reconnect(): Promise<void> {
    await this.#letGo();
    this.#link = this.#newLink();
    await this.#link.open();
    this.#loseAll();
    const added = this.#output.channels.filter(({ channel }) => !this.#channels.has(channel));
    await Promise.all(added.map(({ channel }) => this.#add(channel).start(undefined, true)));
  }

  #add(number: number): ControlledChannel {
    const channel = this.#newChannel(number);
    this.#channels.set(number, channel);
    return channel;
  }

  #newLink(): DeviceLink {
    const { clock, connect } = this.#host;
    return new DeviceLink({
      clock,
      connect: (signal) => connect(this.#output, signal),
      changed: (failure) => {
        if (failure === null) this.#keepFed();
        this.#connectionChanged(failure);
      },
    });
  }

  /**
   * Feeds the dead-man timer while the daemon lives. After a lapse the device may have fallen safe, so its state is
   * read again.
   */
  #keepFed(): void {
    const { dead_man } = this.#link.device;
    if (dead_man === undefined) return this.#host.alarms.clear(this.#deadManAlarm); // it had one before it was wired anew
    this.#feed = new DeadManFeed({
      clock: this.#host.clock,
      dead_man,
      fed: (failure) => this.#tellFed(dead_man.dead_man_s, failure),
      lapsed: () => this.#loseAll(),
      resumed: () => void this.#lookAgain(),
    });
    this.#feed.start();
  }

  async #lookAgain(): Promise<void> {
    if (this.#link.isConnected && this.#link.device.readState !== undefined) return this.#readState();
    for (const channel of this.#channels.values()) channel.doubt();
  }

  get #deadManAlarm() {
    return { code: 'dead_man', source_id: this.id } as const;
  }

  #tellFed(limit: number, failure: string | null): void {
    const { alarms } = this.#host;
    if (failure === null) return alarms.clear(this.#deadManAlarm);
    const about = {
      source_kind: 'output',
      source_name: this.#output.name,
      severity: 'warning',
      limit,
      unit: 's',
    } as const;
    alarms.raise(raiseable({ ...this.#deadManAlarm, ...about, message: failure.slice(0, 500) }));
  }

  #loseAll(): void {
    for (const channel of this.#channels.values()) channel.observe(null);
  }

  #connectionChanged(failure: string | null): void {
    const isNew = failure !== this.#failure;
    this.#failure = failure;
    if (isNew) this.#host.statusChanged(this.status());
    if (failure === null) for (const channel of this.#channels.values()) channel.reconsider();
  }

  #newChannel(number: number): ControlledChannel {
    const settings = this.#output.channels.find(({ channel }) => channel === number);
    if (settings === undefined) throw new RangeError(`output ${this.id} has no channel ${number}`);
    return new ControlledChannel(settings, {
      ...this.#host,
      output_id: this.id,
      device: () => this.#actuator(),
      changed: (state, ended) => this.#host.channelChanged(this.id, state, ended),
      overrideEnded: (ended) => this.#host.overrideEnded(this.id, ended),
    });
  }

  #actuator(): Actuating & Reckoning {
    const { device } = this.#link;
    if (device.write === undefined) throw new DriverError('unsupported', deviceSays('no_commands'));
    return { write: device.write.bind(device), reckoned: (channel) => device.reckoned?.(channel) };
  }

  async #readState(): Promise<void> {
    if (!this.#link.isConnected) return;
    const { device } = this.#link;
    if (device.readState === undefined) return;
    const { clock } = this.#host;
    const signal = AbortSignal.timeout(readBackTimeoutMs);
    try {
      const reading = device.readState(signal);
      const values = await within(reading, { clock, timeoutMs: readBackTimeoutMs, late: () => refuseLate() });
      this.#missedReadings = 0;
      if (this.#failure !== null) this.#connectionChanged(null);
      for (const [number, channel] of this.#channels) this.#observe(channel, values.get(number));
    } catch (error) {
      this.#missedReadings += 1;
      if (this.#missedReadings < lostAfter) return;
      this.#connectionChanged(messageOf(error));
      this.#loseAll();
    }
  }

  #observe(channel: ControlledChannel, value: OutputValue | null | undefined): void {
    const state = value === undefined || value === null ? value : canonical(value, channel.settings.kind);
    if (state !== undefined) channel.observe(state);
  }
}

/** The part of the channels that is wiring: their numbers, and all that positions a motor. */
function wiringOf(output: Output): string {
  const wired = output.channels.map(({ channel, safe_state, motor_close_channel, motor_travel_s, motor_slack_s }) =>
    motor_close_channel === null
      ? [channel]
      : [channel, safe_state, motor_close_channel, motor_travel_s, motor_slack_s],
  );
  return JSON.stringify(wired);
}

function refuseLate(): never {
  throw new DriverError('timed_out', deviceSays('state_not_read'));
}
