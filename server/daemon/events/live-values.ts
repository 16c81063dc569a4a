import type { LastValue } from '../../contract/measurement.ts';
import type { Clock, Timer } from '../clock.ts';
import type { EventRing } from './events.ts';

/** Minimum time between two measurement events of one channel, ms. */
const eventPauseMs = 250;

interface Channel {
  last: LastValue;
  /** When it was read, elapsed ms: ages count from here, as the time of day may be set. */
  readAtMs: number;
  told_at: number;
  timer: Timer | undefined;
  /** Whether it is published as events and in the live state. */
  isTold: boolean;
}

/**
 * The last value of every channel, published as events at most four times a second each; the newest always goes out in
 * the end.
 */
export class LiveValues {
  readonly #clock: Clock;
  readonly #events: EventRing;
  readonly #channels = new Map<string, Channel>();

  constructor(clock: Clock, events: EventRing) {
    this.#clock = clock;
    this.#events = events;
  }

  record(value: LastValue): void {
    const channel = this.#take(value, true);
    const wait = channel.told_at + eventPauseMs - this.#clock.elapsed();
    if (wait <= 0) this.#tell(channel);
    else channel.timer ??= this.#clock.after(wait, () => this.#tell(channel));
  }

  /** Keeps a value for controllers of this daemon only, when it is published in another way. */
  keep(value: LastValue): void {
    this.#take(value, false);
  }

  #take(value: LastValue, isTold: boolean): Channel {
    const key = keyOf(value.device_id, value.measurement_id);
    const readAtMs = this.#clock.elapsed() - Math.max(0, this.#clock.now() - value.time_ms);
    const known = this.#channels.get(key) ?? { told_at: -Infinity, timer: undefined };
    const channel = Object.assign(known, { last: value, readAtMs, isTold });
    this.#channels.set(key, channel);
    return channel;
  }

  /** undefined when there is none, or it is older than `maxAgeS` seconds. */
  last(deviceId: string, measurementId: string, maxAgeS = Infinity): LastValue | undefined {
    const channel = this.#channels.get(keyOf(deviceId, measurementId));
    return channel !== undefined && this.#ageS(channel) <= maxAgeS ? channel.last : undefined;
  }

  /** All published values, each with its age, s. */
  all(): (LastValue & { age_s: number })[] {
    const told = [...this.#channels.values()].filter(({ isTold }) => isTold);
    return told.map((channel) => ({ ...channel.last, age_s: this.#ageS(channel) }));
  }

  #ageS({ readAtMs }: Channel): number {
    return (this.#clock.elapsed() - readAtMs) / 1000;
  }

  /** Forgets a device that is gone, except for measurements that remain. */
  forget(deviceId: string, except: ReadonlySet<string> = new Set()): void {
    for (const [key, { last, timer }] of this.#channels) {
      if (last.device_id !== deviceId || except.has(last.measurement_id)) continue;
      timer?.cancel();
      this.#channels.delete(key);
    }
  }

  stop(): void {
    for (const { timer } of this.#channels.values()) timer?.cancel();
  }

  #tell(channel: Channel): void {
    channel.timer?.cancel();
    channel.timer = undefined;
    channel.told_at = this.#clock.elapsed();
    this.#events.push({ kind: 'measurement', ...channel.last });
  }
}

function keyOf(deviceId: string, measurementId: string): string {
  return `${deviceId}/${measurementId}`;
}
