import { connect, type MqttClient } from 'mqtt';
import type { NotificationOptions } from '../contract/notification-target.ts';
import { allowedAddress, serverNameOf } from './allowed-address.ts';
import { endsWithin } from './ends-within.ts';
import { OutboundError } from './outbound-error.ts';

type MqttOptions = Extract<NotificationOptions, { kind: 'mqtt' }>;

const limitMs = 15_000;

export interface Publication {
  payload: string;
  /** Certificates trusted beside the system's, PEM. */
  ca?: string | undefined;
  /** For everything: name, connection, acknowledgement; default 15 s. */
  limitMs?: number | undefined;
}

/**
 * Publishes one message and waits for the broker's acknowledgement (QoS 1); throws its refusal or the connection's
 * error. A broker on this machine is allowed like one on the local network.
 */
export async function publish(
  { url, username, topic }: MqttOptions,
  secret: string | null,
  { payload, ca, limitMs: within = limitMs }: Publication,
): Promise<string> {
  const { protocol, hostname, port } = new URL(url);
  return endsWithin(within, async (signal) => {
    const host = await allowedAddress(hostname, { policy: 'lan', allowLoopback: true });
    const servername = serverNameOf(hostname);
    const client = connect({
      protocol: protocol === 'mqtts:' ? 'mqtts' : 'mqtt',
      host,
      ...(port !== '' && { port: Number(port) }),
      protocolVersion: 4,
      clean: true,
      reconnectPeriod: 0,
      connectTimeout: within,
      ...(username && { username, password: secret ?? '' }),
      ...(ca !== undefined && { ca }),
      ...(servername !== undefined && { servername }),
    });
    signal.addEventListener('abort', () => client.end(true));
    return acknowledged(client, topic, payload);
  });
}

/** The client's own promises never settle if the connection closes before the broker has answered. */
function acknowledged(client: MqttClient, topic: string, payload: string): Promise<string> {
  return new Promise((resolve, reject) => {
    client.on('error', reject);
    client.on('close', () => reject(new OutboundError('interrupted', 'the broker closed the connection')));
    client.once('connect', () =>
      client.publish(topic, payload, { qos: 1 }, (error) =>
        error ? reject(error) : resolve('the broker acknowledged it'),
      ),
    );
  });
}
