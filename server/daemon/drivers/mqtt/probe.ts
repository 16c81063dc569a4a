import { MqttClient, type ErrorWithReasonCode } from 'mqtt';
import { mostAnnounced, type MqttProbed } from '../../../contract/drivers/mqtt-found.ts';
import type { Clock } from '../../clock.ts';
import { announcements, entitiesIn, type Entity } from './announcement.ts';
import { openStream, type BrokerAddress } from './broker-stream.ts';
import { clientOptions } from './broker.ts';
import { foundDevices } from './found-devices.ts';

/** How long to listen, ms: a broker sends retained messages at once. */
const listeningMs = 2_000;

/** Listens briefly for devices that announced themselves on a broker. Never rejects. */
export async function probeBroker(address: BrokerAddress, clock: Clock, signal: AbortSignal): Promise<MqttProbed> {
  const entities: Entity[] = [];
  const done = Promise.withResolvers<Pick<MqttProbed, 'found' | 'message'>>();
  const end = (found: MqttProbed['found'], message: string): void => done.resolve({ found, message });
  let client: MqttClient;
  try {
    client = new MqttClient(() => openStream(address), clientOptions(address));
  } catch (error) {
    return { found: 'unreachable', message: String(error), devices: [], left_out: 0 };
  }
  client.on('error', (error) => end(isRefusal(error) ? 'refused' : 'unreachable', error.message));
  client.on('close', () => end('unreachable', 'no broker answers'));
  signal.addEventListener('abort', () => end('unreachable', 'there was no time left'), { once: true });
  client.on('message', (topic, payload) => {
    if (entities.length < mostAnnounced) entities.push(...entitiesIn(topic, payload));
  });
  let timer: ReturnType<Clock['after']> | undefined;
  client.on('connect', () => {
    client.subscribe(announcements, { qos: 0 }, (error) => {
      if (error) end('refused', error.message);
    });
    timer = clock.after(listeningMs, () => end('answers', 'the broker let us in'));
  });
  const ended = await done.promise;
  timer?.cancel();
  client.end(true);
  return { ...ended, ...foundDevices(entities.slice(0, mostAnnounced)) };
}

/** The broker refused, by its return code: MQTT 3.1.1, section 3.2.2.3. */
function isRefusal(error: Error | ErrorWithReasonCode): boolean {
  return 'code' in error && typeof error.code === 'number';
}
