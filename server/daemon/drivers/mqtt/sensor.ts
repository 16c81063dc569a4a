import type { MqttOptions, MqttValue } from '../../../contract/drivers/mqtt-options.ts';
import { deviceSays } from '../../../contract/device-words.ts';
import type { Clock, Timer } from '../../clock.ts';
import { DriverError, type Closing, type Listening, type Reading, type Sensing } from '../driver.ts';
import type { Message, MqttBroker } from './broker.ts';
import { numberAt } from '../payload.ts';
import { Presence } from './presence.ts';

/** However often a sensor publishes, it is read no more often than any other, ms. */
const leastIntervalMs = 100;

export interface SensorOptions {
  broker: MqttBroker;
  clock: Clock;
  options: MqttOptions;
  channels: readonly number[];
}

/** A sensor that publishes by itself. A retained message has an unknown age and is not a reading. */
export class MqttSensor implements Sensing, Listening, Closing {
  readonly #parts: SensorOptions;
  readonly #values: readonly MqttValue[];
  readonly #presence: Presence;
  readonly #detach: () => void;
  #listener: ((readings: readonly Reading[]) => void) | undefined;
  /** The newest message of each topic that is not passed on yet. */
  readonly #waiting = new Map<string, Buffer>();
  #timer: Timer | undefined;
  #toldAt = -Infinity;
  /** When it last sent a value of a channel. */
  #heardAt = -Infinity;
  #hasOnlyRetained = false;
  /** Why no message has been a reading so far. */
  #complaint: string | null = null;

  constructor(parts: SensorOptions) {
    this.#parts = parts;
    this.#values = (parts.options.values ?? []).filter(({ channel }) => parts.channels.includes(channel));
    this.#presence = new Presence(parts.options);
    this.#detach = parts.broker.attach({
      topics: [...new Set([...this.#presence.topics, ...this.#values.map(({ topic }) => topic)])],
      begun: () => this.#begun(),
      heard: (topic, message) => this.#heard(topic, message),
    });
  }

  listen(heard: (readings: readonly Reading[]) => void): void {
    this.#listener = heard;
  }

  /** Returns nothing, as readings arrive by themselves. Throws DriverError when it has fallen silent. */
  async read(signal: AbortSignal): Promise<readonly Reading[]> {
    const { broker, options } = this.#parts;
    this.#refuseSilence(broker.connectedAt);
    if (options.request !== undefined) await this.#ask(signal);
    broker.refuseUnheard(this.#values.map(({ topic }) => topic));
    this.#presence.refuseAbsent();
    if (this.#complaint !== null) throw new DriverError('bad_answer', this.#complaint);
    return [];
  }

  close(): Promise<void> {
    this.#listener = undefined;
    this.#timer?.cancel();
    this.#waiting.clear();
    this.#detach();
    return Promise.resolve();
  }

  #refuseSilence(connectedAtMs: number): void {
    const { clock, options } = this.#parts;
    const { expire_after_s } = options;
    if (expire_after_s === undefined) return;
    const silent_s = (clock.elapsed() - Math.max(connectedAtMs, this.#heardAt)) / 1000;
    if (silent_s < expire_after_s) return;
    const kept = this.#hasOnlyRetained ? '; the broker has an old message of unknown age' : '';
    throw new DriverError('timed_out', deviceSays('silent_for', { s: expire_after_s }) + kept);
  }

  async #ask(signal: AbortSignal): Promise<void> {
    const { broker, options } = this.#parts;
    const { topic, payload = '' } = options.request ?? { topic: '' };
    await broker.publish({ topic, payload, qos: 0 }, signal);
  }

  #begun(): void {
    this.#presence.forget();
    this.#hasOnlyRetained = false;
    this.#complaint = null;
    if (this.#parts.options.request === undefined) return;
    this.#ask(AbortSignal.timeout(5_000)).catch(() => undefined); // asked again in the next period
  }

  #heard(topic: string, message: Message): void {
    this.#presence.heard(topic, message);
    if (!this.#values.some((value) => value.topic === topic)) return;
    if (message.retained) {
      this.#hasOnlyRetained ||= this.#heardAt === -Infinity;
      return;
    }
    this.#waiting.set(topic, message.payload);
    const pause = this.#toldAt + leastIntervalMs - this.#parts.clock.elapsed();
    if (pause <= 0) this.#tell();
    else this.#timer ??= this.#parts.clock.after(pause, () => this.#tell());
  }

  #tell(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#toldAt = this.#parts.clock.elapsed();
    const readings = this.#values.flatMap((value) => this.#readingsOf(value));
    const topics = [...this.#waiting.keys()];
    this.#waiting.clear();
    if (readings.length > 0) this.#spoke(readings);
    // A sensor that has already sent readings was now sending something else.
    else if (this.#heardAt === -Infinity) this.#complaint = this.#complaintAbout(topics);
  }

  #spoke(readings: readonly Reading[]): void {
    this.#heardAt = this.#parts.clock.elapsed();
    this.#hasOnlyRetained = false;
    this.#complaint = null;
    this.#listener?.(readings);
  }

  #readingsOf({ channel, topic, path }: MqttValue): Reading[] {
    const payload = this.#waiting.get(topic);
    const value = payload === undefined ? undefined : numberAt(payload, path);
    return value === undefined ? [] : [{ channel, value }];
  }

  #complaintAbout(topics: readonly string[]): string {
    const paths = this.#values.filter(({ topic }) => topics.includes(topic)).map(({ path = '' }) => path);
    return `the message on ${topics.join(', ')} has nothing at ${paths.join(', ')}`;
  }
}
