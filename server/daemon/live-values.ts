import type { LastValue } from '../contract/measurement.ts';
import type { Clock, Timer } from './clock.ts';
import type { EventRing } from './events.ts';

/** Least time between two measurement events of one channel, ms. */
const EVENT_PAUSE_MS = 250;

interface Channel {
  last: LastValue;
  told_at: number;
  timer: Timer | undefined;
}

/** The last value of every channel, told as events at most four times a second each; the newest is always told in the end. */
export class LiveValues {
  readonly #clock: Clock;
  readonly #events: EventRing;
  readonly #channels = new Map<string, Channel>();

  constructor(clock: Clock, events: EventRing) {
    this.#clock = clock;
    this.#events = events;
  }

  record(value: LastValue): void {
    const key = keyOf(value.device_id, value.measurement_id);
    const channel = this.#channels.get(key) ?? { last: value, told_at: -Infinity, timer: undefined };
    this.#channels.set(key, channel);
    channel.last = value;
    const wait = channel.told_at + EVENT_PAUSE_MS - this.#clock.elapsed();
    if (wait <= 0) this.#tell(channel);
    else channel.timer ??= this.#clock.after(wait, () => this.#tell(channel));
  }

  /** Undefined when there is none, or when it is older than `maxAgeS` seconds. */
  last(deviceId: string, measurementId: string, maxAgeS = Infinity): LastValue | undefined {
    const last = this.#channels.get(keyOf(deviceId, measurementId))?.last;
    return last !== undefined && this.#clock.now() - last.time_ms <= maxAgeS * 1000 ? last : undefined;
  }

  all(): LastValue[] {
    return [...this.#channels.values()].map(({ last }) => last);
  }

  /** Forgets a device that is gone, but for the measurements that stay. */
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
