import { randomUUID } from 'node:crypto';
import { MqttClient, type IClientOptions } from 'mqtt';
import { messageOf } from '../../../contract/message-of.ts';
import { deviceSays } from '../../../contract/device-words.ts';
import { Backoff } from '../../backoff.ts';
import type { Clock, Timer } from '../../clock.ts';
import { DriverError } from '../driver.ts';
import { openStream, type BrokerAddress } from './broker-stream.ts';

const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** A connection that ends sooner counts as a failure: two clients with one id would disconnect each other for ever. */
const lastingMs = 10_000;
const connectMs = 5_000;
/** A broker that is silent for one and a half times as long is gone, s. */
const keepalive_s = 15;

export interface Message {
  payload: Buffer;
  /** The broker kept it, so its age is unknown. */
  retained: boolean;
}

/** A device on the broker. Neither method may throw. */
export interface Subscriber {
  topics: readonly string[];
  /**
   * Called when there is a connection and the topics are being subscribed to: what was heard before may be out of date.
   */
  begun(): void;
  heard(topic: string, message: Message): void;
}

export interface Publication {
  topic: string;
  payload: string;
  qos: 0 | 1 | 2;
}

export interface BrokerOptions {
  clock: Clock;
  log: (line: string) => void;
  /** Called with null once there is a connection or none is wanted, and with the reason why there is none. */
  told: (failure: string | null) => void;
}

/**
 * One connection to a broker, shared by all its devices; reconnects by itself. It queues nothing: without a connection
 * a command is refused, so that none can act later, and sessions are clean, so that no message arrives late with a new
 * time.
 */
export class MqttBroker {
  readonly #address: BrokerAddress;
  readonly #options: BrokerOptions;
  readonly #subscribers = new Set<Subscriber>();
  readonly #backoff = new Backoff(firstPauseMs, longestPauseMs);
  readonly #refused = new Map<string, string>();
  #client: MqttClient | undefined;
  #failure: string | null = deviceSays('not_connected_yet');
  #connectedAt = -Infinity;
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(address: BrokerAddress, options: BrokerOptions) {
    this.#address = address;
    this.#options = options;
    this.#connect();
  }

  /** When the present connection began, elapsed ms. Throws DriverError `unreachable` when there is none. */
  get connectedAt(): number {
    if (this.#failure !== null) throw new DriverError('unreachable', this.#failure);
    return this.#connectedAt;
  }

  /** Throws DriverError `refused` when the broker refuses the subscription to one of the topics. */
  refuseUnheard(topics: readonly string[]): void {
    const refused = topics.find((topic) => this.#refused.has(topic));
    if (refused === undefined) return;
    throw new DriverError(
      'refused',
      deviceSays('broker_refuses', { topic: refused, said: this.#refused.get(refused) ?? '' }),
    );
  }

  /** Passes on messages of the subscriber's topics. Returns an unsubscribe function. */
  attach(subscriber: Subscriber): () => void {
    this.#subscribers.add(subscriber);
    if (this.#failure === null) this.#begin(subscriber);
    return () => {
      this.#subscribers.delete(subscriber);
      for (const topic of subscriber.topics) if (!this.#isWanted(topic)) this.#unsubscribe(topic);
    };
  }

  /**
   * Resolves when the broker has it, as far as the QoS can tell. Throws DriverError: `unreachable` when nothing was
   * sent, `timed_out` when the result is unknown.
   */
  async publish({ topic, payload, qos }: Publication, signal: AbortSignal): Promise<void> {
    const client = this.#client;
    if (client === undefined || this.#failure !== null) {
      throw new DriverError('unreachable', this.#failure ?? deviceSays('not_connected'));
    }
    if (signal.aborted) throw new DriverError('unreachable', deviceSays('not_sent_in_time'));
    const given = Promise.withResolvers<void>();
    const giveUp = (): void => given.reject(new Error('the broker did not acknowledge it in time'));
    signal.addEventListener('abort', giveUp, { once: true });
    client.publish(topic, payload, { qos, retain: false }, (error) => (error ? given.reject(error) : given.resolve()));
    try {
      await given.promise;
    } catch (error) {
      throw new DriverError('timed_out', messageOf(error), { cause: error });
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#subscribers.clear();
    this.#options.told(null);
    this.#failure = deviceSays('connection_closed');
    this.#client?.end(true);
    this.#client = undefined;
    return Promise.resolve();
  }

  #connect(): void {
    const client = new MqttClient(() => openStream(this.#address), clientOptions(this.#address));
    this.#client = client;
    client.on('connect', () => this.#connected(client));
    client.on('message', (topic, payload, { retain }) => this.#tell(topic, { payload, retained: retain }));
    client.on('error', (error) => this.#lost(client, messageOf(error)));
    client.on('close', () =>
      this.#lost(client, this.#failure === null ? deviceSays('connection_lost') : deviceSays('broker_silent')),
    );
  }

  #connected(client: MqttClient): void {
    if (client !== this.#client) return;
    this.#connectedAt = this.#options.clock.elapsed();
    this.#failure = null;
    this.#refused.clear();
    this.#options.told(null);
    for (const subscriber of this.#subscribers) this.#begin(subscriber);
  }

  #begin(subscriber: Subscriber): void {
    const client = this.#client;
    // Subscribes again even if another device already has: the broker then repeats its retained message.
    for (const topic of subscriber.topics) {
      client?.subscribe(topic, { qos: 0 }, (error) => {
        if (error && client === this.#client && this.#failure === null) this.#refused.set(topic, messageOf(error));
      });
    }
    subscriber.begun();
  }

  #tell(topic: string, message: Message): void {
    for (const subscriber of this.#subscribers) if (subscriber.topics.includes(topic)) subscriber.heard(topic, message);
  }

  #isWanted(topic: string): boolean {
    return [...this.#subscribers].some(({ topics }) => topics.includes(topic));
  }

  #unsubscribe(topic: string): void {
    this.#refused.delete(topic);
    if (this.#failure === null) this.#client?.unsubscribe(topic, () => undefined); // what still comes is heard by nobody
  }

  /** Replaces the client: an old one might later send what was given up. */
  #lost(client: MqttClient, reason: string): void {
    if (client !== this.#client) return;
    const { clock, log, told } = this.#options;
    const { host, port } = this.#address;
    const wasConnected = this.#failure === null;
    this.#client = undefined;
    client.end(true);
    if (this.#isClosed) return;
    this.#failure = deviceSays('no_broker', { host: `${host}:${port}`, said: reason });
    told(this.#failure);
    if (wasConnected) log(this.#failure);
    if (wasConnected && clock.elapsed() - this.#connectedAt >= lastingMs) this.#backoff.reset();
    this.#timer = clock.after(this.#backoff.next(), () => this.#connect());
  }
}

/** Options of a client that keeps nothing for a later connection. */
export function clientOptions({ username, password, client_id }: BrokerAddress): IClientOptions {
  return {
    protocolVersion: 4,
    clean: true,
    reconnectPeriod: 0,
    resubscribe: false,
    queueQoSZero: false,
    connectTimeout: connectMs,
    keepalive: keepalive_s,
    clientId: client_id ?? `orangery-${randomUUID().slice(0, 13)}`,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
  };
}
