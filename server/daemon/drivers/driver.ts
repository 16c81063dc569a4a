import type { z } from 'zod';
import type { Connection } from '../../contract/drivers/connection.ts';
import type { DeviceKind } from '../../contract/drivers/driver.ts';
import type { DriverName, OptionsOf, SearchingDriver, SearchOf } from '../../contract/drivers/index.ts';
import type { LcdDisplay } from '../../contract/lcd.ts';
import type { SampleQuality } from '../../contract/measurement.ts';
import type { OutboundOptions } from '../../outbound/outbound.ts';
import type { ModelHouse } from '../../domain/simulation/house-model.ts';
import type { Clock } from '../clock.ts';

/** A value to write to an actuator: on, off, or a position, duty cycle or value of 0..100 %. */
export type OutputValue = 'on' | 'off' | number;

/** One value of one channel, in the unit of its measurement; null when the sensor answered without a usable number. */
export interface Reading {
  channel: number;
  value: number | null;
  /** Default good; suspect and bad values are stored but never used for control. */
  quality?: SampleQuality;
}

/** A sensor: one call reads all its channels, or throws DriverError. */
export interface Sensing {
  read(signal: AbortSignal): Promise<readonly Reading[]>;
}

/** A sensor that sends by itself: `read` returns nothing new, and throws when it has fallen silent. */
export interface Listening {
  /** Passes on readings as they arrive, at most ten times a second, until the device is closed. */
  listen(heard: (readings: readonly Reading[]) => void): void;
}

/**
 * An actuator. `acknowledged` is true only when the device itself confirmed the value, false when it has no way to
 * answer. Throws DriverError: `refused` and `unreachable` when nothing was changed, `timed_out` and `bad_answer` when
 * the result is unknown.
 */
export interface Actuating {
  write(channel: number, value: OutputValue, signal: AbortSignal): Promise<{ acknowledged: boolean }>;
}

/**
 * An actuator that can report its state: the present value by channel number; null for a channel that reports but did
 * not now, no entry for one that never does. Throws DriverError.
 */
export interface ReadingBack {
  readState(signal: AbortSignal): Promise<ReadonlyMap<number, OutputValue | null>>;
}

/** The position of an actuator whose moves take longer than a command. */
export interface ReckonedPosition {
  /** null when unknown. */
  stands: OutputValue | null;
  drift_pct: number;
  /** Absent while it rests. */
  moves_to?: OutputValue;
}

/** An actuator whose position follows from its run time; undefined for channels that take a value at once. */
export interface Reckoning {
  reckoned(channel: number): ReckonedPosition | undefined;
}

/** A device with a dead-man timer of its own: if it is not fed in time, it falls to its safe state by itself. */
export interface DeadMan {
  /** How long the device waits for the next feed, s. */
  readonly dead_man_s: number;
  /** Restarts the timer; resolves when the device acknowledged it. Throws DriverError. */
  feed(signal: AbortSignal): Promise<void>;
}

/** So that one feed may be lost and the next be late. */
const feedsATimer = 3;

/** A feed that waits behind two unanswered requests still comes in time. */
const requestsATimer = 4;

/** How often a device is fed, ms. */
export function feedPeriodMs({ dead_man_s }: DeadMan): number {
  return (dead_man_s * 1000) / feedsATimer;
}

/** The longest time-out of a request on the line of a device that is fed, ms. */
export function longestRequestMs({ dead_man_s }: DeadMan): number {
  return (dead_man_s * 1000) / requestsATimer;
}

/** A display. Throws DriverError when it did not take the lines. */
interface Showing {
  show(display: LcdDisplay, signal: AbortSignal): Promise<void>;
}

export interface Closing {
  /** Releases sockets and timers within a second; never throws, may be called twice. */
  close(): Promise<void>;
}

/** A connected device: its methods say what it can do. */
export type Device = Closing &
  Partial<Sensing & Listening & Actuating & ReadingBack & Reckoning & Showing> & { dead_man?: DeadMan };

interface ConnectRequest<Options> {
  device_id: string;
  kind: DeviceKind;
  options: Options;
  /** Numbers of the configured channels, ascending. */
  channels: readonly number[];
}

/**
 * A driver family running in one daemon. Holds what its devices share (the queue of a bus, the simulated houses).
 * `connect` may return before the device is reached: a device that reconnects by itself throws `unreachable` meanwhile.
 */
export interface DriverFamily<Options> extends Closing {
  connect(request: ConnectRequest<Options>, signal: AbortSignal): Promise<Device>;
}

/** A driver that searches for devices, as its catalogue entry says. Never rejects. */
export interface Searching<Name extends SearchingDriver> {
  search(query: z.output<SearchOf<Name>['query']>, signal: AbortSignal): Promise<z.output<SearchOf<Name>['found']>>;
}

/** What the daemon provides to the families. */
export interface DriverEnvironment {
  /** Waits count `elapsed`, which setting the clock does not change. */
  clock: Clock;
  /** Writes one line to the daemon's log. */
  log(line: string): void;
  /** The folder of the user's files for drivers; absent when there is none. */
  dataDirectory?: string;
  /** The model of a drawn house as it is built and equipped now; undefined where there is none. */
  modelOf?: (facilityId: string) => ModelHouse | undefined;
  /**
   * Takes why a connection is lost, or null when it works or is no longer used. Call it before a device fails by it,
   * with `isSure` false while it may yet turn out to work.
   */
  connection?: (connection: Connection, failure: string | null, isSure?: boolean) => void;
  /** The root of the kernel's files; for tests. */
  kernelRoot?: string;
  /** Allows requests that the policy refuses; for tests. */
  outbound?: OutboundOptions;
}

/** What a driver's folder exports as `driver`. Loading it does nothing; `start` is called once, at the first device. */
export interface DriverModule<Name extends DriverName> {
  start(
    environment: DriverEnvironment,
  ): DriverFamily<OptionsOf<Name>> & (Name extends SearchingDriver ? Searching<Name> : unknown);
}

/**
 * refused: the device declined; unreachable: nothing could be sent; timed_out: sent, no answer in time; bad_answer: the
 * answer makes no sense; unsupported: this device cannot do that; closed: the device was closed.
 */
export type DriverErrorCode = 'refused' | 'unreachable' | 'timed_out' | 'bad_answer' | 'unsupported' | 'closed';

const afterSending: ReadonlySet<DriverErrorCode> = new Set(['timed_out', 'bad_answer']);

/** Why a device did not do what was asked of it. */
export class DriverError extends Error {
  override readonly name = 'DriverError';
  readonly code: DriverErrorCode;

  constructor(code: DriverErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }

  /** True when the command may have reached the device, so that its state is unknown. */
  get stateIsUnknown(): boolean {
    return afterSending.has(this.code);
  }
}
