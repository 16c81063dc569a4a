import type { z } from 'zod';
import type { DeviceKind } from '../../contract/drivers/driver.ts';
import type { DriverName, OptionsOf, SearchingDriver, SearchOf } from '../../contract/drivers/index.ts';
import type { LcdDisplay } from '../../contract/lcd.ts';
import type { SampleQuality } from '../../contract/measurement.ts';
import type { OutboundOptions } from '../../outbound/outbound.ts';
import type { Clock } from '../clock.ts';

/** What an actuator is told: on, off, or a position, duty cycle or value of 0..100 %. */
export type OutputValue = 'on' | 'off' | number;

/** One value of one channel, in the unit of its measurement; null when the sensor answered without a usable number. */
export interface Reading {
  channel: number;
  value: number | null;
  /** good when absent; suspect and bad values are stored but never used for control. */
  quality?: SampleQuality;
}

/** A sensor: one call reads all its channels, or throws DriverError. */
export interface Sensing {
  read(signal: AbortSignal): Promise<readonly Reading[]>;
}

/** A sensor that speaks by itself: `read` then gives nothing new, and throws where it is not heard. */
export interface Listening {
  /** Calls back with readings as they come, at most ten times a second, until the device is closed. */
  listen(heard: (readings: readonly Reading[]) => void): void;
}

/**
 * An actuator. `acknowledged` is true only when the device itself confirmed the value, false when it has no way to answer.
 * Throws DriverError: `refused` and `unreachable` when nothing was changed, `timed_out` and `bad_answer` when nobody can know.
 */
export interface Actuating {
  write(channel: number, value: OutputValue, signal: AbortSignal): Promise<{ acknowledged: boolean }>;
}

/**
 * An actuator that can say what state it is in: the present value by channel number; null where it could and does not, nothing where
 * it never does. Throws DriverError.
 */
export interface ReadingBack {
  readState(signal: AbortSignal): Promise<ReadonlyMap<number, OutputValue | null>>;
}

/** Where an actuator stands that is on its way for longer than a command takes. */
export interface ReckonedPosition {
  /** null: unknown. */
  stands: OutputValue | null;
  drift_pct: number;
  /** Absent while it rests. */
  moves_to?: OutputValue;
}

/** An actuator whose position follows from how long it ran; undefined for channels that go where they are told at once. */
export interface Reckoning {
  reckoned(channel: number): ReckonedPosition | undefined;
}

/** A device with a dead-man timer of its own: not fed in time, it falls to its safe state without anybody's word. */
export interface DeadMan {
  /** How long the device waits to be fed, s. */
  readonly dead_man_s: number;
  /** Sets the timer going anew; resolves when the device acknowledged it. Throws DriverError. */
  feed(signal: AbortSignal): Promise<void>;
}

/** So that one feed may be lost, and the next be late. */
const feedsATimer = 3;

/** A feed that waits for two requests which nobody answers still comes in time. */
const requestsATimer = 4;

/** How often a device is fed, ms. */
export function feedPeriodMs({ dead_man_s }: DeadMan): number {
  return (dead_man_s * 1000) / feedsATimer;
}

/** How long an answer may be waited for on the line of a device that is fed, ms. */
export function longestRequestMs({ dead_man_s }: DeadMan): number {
  return (dead_man_s * 1000) / requestsATimer;
}

/** A display. Throws DriverError where it did not take the lines. */
interface Showing {
  show(display: LcdDisplay, signal: AbortSignal): Promise<void>;
}

export interface Closing {
  /** Lets go of sockets and timers within a second; never throws, may be called twice. */
  close(): Promise<void>;
}

/** A connected device: what it can do is which of the methods it has. */
export type Device = Closing &
  Partial<Sensing & Listening & Actuating & ReadingBack & Reckoning & Showing> & { dead_man?: DeadMan };

interface ConnectRequest<Options> {
  device_id: string;
  kind: DeviceKind;
  options: Options;
  /** Numbers of the channels that are configured, ascending. */
  channels: readonly number[];
}

/**
 * A family at work in one daemon. What its devices share (the queue of a bus, the simulated houses) lives here.
 * `connect` may return before the device is reached: a device that reconnects by itself answers `unreachable` meanwhile.
 */
export interface DriverFamily<Options> extends Closing {
  connect(request: ConnectRequest<Options>, signal: AbortSignal): Promise<Device>;
}

/** Of a driver that looks for devices, as its catalogue entry says. Never rejects. */
export interface Searching<Name extends SearchingDriver> {
  search(query: z.output<SearchOf<Name>['query']>, signal: AbortSignal): Promise<z.output<SearchOf<Name>['found']>>;
}

/** What the daemon lends to the families. */
export interface DriverEnvironment {
  /** Whatever waits counts `elapsed`: a clock that is set does not move it. */
  clock: Clock;
  /** Writes one line to the daemon's log. */
  log(line: string): void;
  /** Where the user keeps files for drivers; absent where there is none. */
  dataDirectory?: string;
  /** The root under which the kernel's files are; for tests. */
  kernelRoot?: string;
  /** Lets requests in where the policy does not; for tests. */
  outbound?: OutboundOptions;
}

/** What the folder of a driver exports as `driver`. Loading it does nothing; `start` is called once, at the first device. */
export interface DriverModule<Name extends DriverName> {
  start(
    environment: DriverEnvironment,
  ): DriverFamily<OptionsOf<Name>> & (Name extends SearchingDriver ? Searching<Name> : unknown);
}

/**
 * refused: the device said no; unreachable: nothing could be sent; timed_out: sent, no answer in time;
 * bad_answer: the answer makes no sense; unsupported: this device cannot do that; closed: the device was closed.
 */
export type DriverErrorCode = 'refused' | 'unreachable' | 'timed_out' | 'bad_answer' | 'unsupported' | 'closed';

const afterSending: ReadonlySet<DriverErrorCode> = new Set(['timed_out', 'bad_answer']);

/** Why a device did not do what it was asked. */
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
