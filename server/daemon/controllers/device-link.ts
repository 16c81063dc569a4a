import { messageOf } from '../../contract/message-of.ts';
import { deviceSays } from '../../contract/device-words.ts';
import { Backoff } from '../backoff.ts';
import { within, type Clock, type Timer } from '../clock.ts';
import { DriverError, type Device } from '../drivers/driver.ts';

const connectTimeoutMs = 5_000;
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

export interface DeviceLinkOptions {
  clock: Clock;
  connect: (signal: AbortSignal) => Promise<Device>;
  /** Called with null once the device is connected, or with the reason why it is not. */
  changed: (failure: string | null) => void;
}

/** Holds the connection to one device: connects, retries with growing pauses, releases. */
export class DeviceLink {
  readonly #options: DeviceLinkOptions;
  readonly #backoff = new Backoff(firstPauseMs, longestPauseMs);
  #device: Device | undefined;
  #failure: string | null = deviceSays('not_connected_yet');
  #timer: Timer | undefined;
  #abort: AbortController | undefined;

  constructor(options: DeviceLinkOptions) {
    this.#options = options;
  }

  get isConnected(): boolean {
    return this.#device !== undefined;
  }

  /** The connected device; throws DriverError `unreachable` with the reason when there is none. */
  get device(): Device {
    if (this.#device === undefined) throw new DriverError('unreachable', this.#failure ?? deviceSays('not_connected'));
    return this.#device;
  }

  /** Resolves after the first attempt, successful or not. */
  async open(): Promise<void> {
    this.#abort = new AbortController();
    await this.#attempt(this.#abort);
  }

  async close(): Promise<void> {
    this.#timer?.cancel();
    this.#abort?.abort(new DriverError('closed', deviceSays('let_go')));
    this.#abort = undefined;
    const device = this.#device;
    this.#device = undefined;
    this.#failure = deviceSays('let_go');
    await device?.close();
  }

  async #attempt(abort: AbortController): Promise<void> {
    const { clock, connect, changed } = this.#options;
    const pending = connect(abort.signal);
    try {
      const device = await within(pending, { clock, timeoutMs: connectTimeoutMs, late: () => refuseLate() });
      if (abort.signal.aborted) return void device.close();
      this.#device = device;
      this.#failure = null;
      this.#backoff.reset();
    } catch (error) {
      void pending.then((device) => device.close()).catch(() => undefined); // it comes too late, or failed as reported
      if (abort.signal.aborted) return;
      this.#failure = messageOf(error);
      this.#timer = clock.after(this.#backoff.next(), () => void this.#attempt(abort));
    }
    changed(this.#failure);
  }
}

function refuseLate(): never {
  throw new DriverError('timed_out', deviceSays('not_connected_in_time', { s: connectTimeoutMs / 1000 }));
}
