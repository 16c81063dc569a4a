import type { MqttActuator, MqttOptions } from '../../../contract/drivers/mqtt-options.ts';
import { deviceSays } from '../../../contract/device-words.ts';
import type { Clock } from '../../clock.ts';
import { DriverError, type Actuating, type Closing, type OutputValue, type ReadingBack } from '../driver.ts';
import { commandOf, isThere, stateIn } from './actuator-payload.ts';
import type { Message, MqttBroker } from './broker.ts';
import { Presence } from './presence.ts';

const defaultTimeout_s = 5;
const defaultQos = 1;
/** How long a device may take to report its state after a new connection, before the state is unknown, ms. */
const settleMs = 5_000;
const requestMs = 5_000;

interface Heard {
  state: OutputValue | null;
  retained: boolean;
}

export interface ActuatorOptions {
  broker: MqttBroker;
  clock: Clock;
  options: MqttOptions;
  channels: readonly number[];
}

/**
 * Actuators behind topics. Only a message on the state topic after a command acknowledges it; a retained message counts
 * as a state while the device is online, and never as an answer.
 */
export class MqttActuators implements Actuating, ReadingBack, Closing {
  readonly #parts: ActuatorOptions;
  readonly #actuators: readonly MqttActuator[];
  readonly #presence: Presence;
  readonly #detach: () => void;
  readonly #states = new Map<number, Heard>();
  /** Called with each reported state of a channel while a command waits for its answer. */
  readonly #awaited = new Map<number, (state: OutputValue | null) => void>();

  constructor(parts: ActuatorOptions) {
    this.#parts = parts;
    this.#actuators = (parts.options.actuators ?? []).filter(({ channel }) => parts.channels.includes(channel));
    this.#presence = new Presence(parts.options);
    const states = this.#actuators.flatMap(({ state_topic }) => state_topic ?? []);
    this.#detach = parts.broker.attach({
      topics: [...new Set([...this.#presence.topics, ...states])],
      begun: () => this.#begun(),
      heard: (topic, message) => this.#heard(topic, message),
    });
  }

  /** Whether any of them reports its state. */
  get canBeRead(): boolean {
    return this.#actuators.some(({ state_topic }) => state_topic !== undefined);
  }

  async write(channel: number, value: OutputValue, signal: AbortSignal): Promise<{ acknowledged: boolean }> {
    const actuator = this.#actuators.find((one) => one.channel === channel);
    if (actuator === undefined) throw new DriverError('unsupported', deviceSays('no_topic', { channel }));
    this.#presence.refuseAbsent();
    const answer = actuator.state_topic === undefined ? null : this.#answer(actuator, value, signal);
    const { broker, options } = this.#parts;
    const { qos = defaultQos } = options;
    const publication = {
      topic: actuator.command_topic,
      payload: commandOf(actuator, value),
      qos: qos === 0 || qos === 2 ? qos : defaultQos,
    } as const;
    try {
      const sent = broker.publish(publication, signal);
      if (answer === null) await sent;
      // The device may answer before the broker does: its own answer is enough.
      else await Promise.all([Promise.race([sent, answer.given]), answer.given]);
      return { acknowledged: answer !== null };
    } finally {
      answer?.end();
    }
  }

  async readState(): Promise<ReadonlyMap<number, OutputValue | null>> {
    const { broker, clock } = this.#parts;
    const isSettled = clock.elapsed() - broker.connectedAt >= settleMs;
    const speaking = this.#actuators.filter(({ state_topic }) => state_topic !== undefined);
    broker.refuseUnheard(speaking.flatMap(({ state_topic }) => state_topic ?? []));
    this.#presence.refuseAbsent();
    const states = new Map<number, OutputValue | null>();
    for (const { channel } of speaking) {
      const heard = this.#states.get(channel);
      const isKnown = heard !== undefined && (!heard.retained || this.#presence.isOnline);
      if (isKnown || isSettled) states.set(channel, isKnown ? heard.state : null);
    }
    return states;
  }

  close(): Promise<void> {
    this.#detach();
    return Promise.resolve();
  }

  /** Resolves when the device reports the value; rejects after the time allowed, with what it reported instead. */
  #answer(actuator: MqttActuator, told: OutputValue, signal: AbortSignal) {
    const { promise: given, resolve, reject } = Promise.withResolvers<void>();
    let said: OutputValue | null | undefined;
    const giveUp = (): void => reject(otherwise(actuator, said));
    const timeoutMs = (this.#parts.options.timeout_s ?? defaultTimeout_s) * 1000;
    const timer = this.#parts.clock.after(timeoutMs, giveUp);
    signal.addEventListener('abort', giveUp, { once: true });
    given.catch(() => undefined); // where the command could not be sent nobody waits for it
    this.#awaited.set(actuator.channel, (state) => {
      said = state;
      if (state !== null && isThere(actuator, state, told)) resolve();
    });
    const end = (): void => {
      timer.cancel();
      signal.removeEventListener('abort', giveUp);
      this.#awaited.delete(actuator.channel);
    };
    return { given, end };
  }

  #begun(): void {
    this.#presence.forget();
    this.#states.clear();
    const { broker, options } = this.#parts;
    if (options.request === undefined) return;
    const { topic, payload = '' } = options.request;
    broker.publish({ topic, payload, qos: 0 }, AbortSignal.timeout(requestMs)).catch(() => undefined); // then its state stays unknown
  }

  #heard(topic: string, message: Message): void {
    this.#presence.heard(topic, message);
    for (const actuator of this.#actuators) if (actuator.state_topic === topic) this.#told(actuator, message);
  }

  #told(actuator: MqttActuator, { payload, retained }: Message): void {
    const { channel } = actuator;
    // When another device subscribes to the same topic, the broker repeats its retained message.
    if (retained && this.#states.get(channel)?.retained === false) return;
    const state = stateIn(actuator, payload);
    if (state === undefined) return;
    this.#states.set(channel, { state, retained });
    if (!retained) this.#awaited.get(channel)?.(state);
  }
}

function otherwise({ state_topic }: MqttActuator, said: OutputValue | null | undefined): DriverError {
  if (said === undefined)
    return new DriverError('timed_out', deviceSays('silent_on', { topic: state_topic ?? 'its topic' }));
  const state = said === null ? deviceSays('state_unknown') : deviceSays('state_said', { said });
  return new DriverError('bad_answer', state);
}
