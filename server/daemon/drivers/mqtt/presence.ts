import type { MqttOptions } from '../../../contract/drivers/mqtt-options.ts';
import { deviceSays } from '../../../contract/device-words.ts';
import { DriverError } from '../driver.ts';
import type { Message } from './broker.ts';
import { textAt } from '../payload.ts';

/** Whether a device is present, by its availability topic; for one that is gone the broker publishes its last will. */
export class Presence {
  readonly #availability: MqttOptions['availability'];
  #said: 'online' | 'offline' | null = null;

  constructor({ availability }: MqttOptions) {
    this.#availability = availability;
  }

  get topics(): readonly string[] {
    return this.#availability === undefined ? [] : [this.#availability.topic];
  }

  /** It has said so itself, now or in a message that the broker retained. */
  get isOnline(): boolean {
    return this.#said === 'online';
  }

  /** Throws DriverError `unreachable` when it is known to be offline. */
  refuseAbsent(): void {
    if (this.#said === 'offline') throw new DriverError('unreachable', deviceSays('offline'));
  }

  forget(): void {
    this.#said = null;
  }

  heard(topic: string, { payload }: Message): void {
    const { topic: mine, path, online = 'online', offline = 'offline' } = this.#availability ?? {};
    if (topic !== mine) return;
    const word = textAt(payload, path);
    if (word === online) this.#said = 'online';
    if (word === offline) this.#said = 'offline';
  }
}
