import { connectAsync } from 'mqtt';
import type { NotificationOptions } from '../contract/notification-target.ts';

type MqttOptions = Extract<NotificationOptions, { kind: 'mqtt' }>;

const waitMs = 15_000;

/** Publishes one message and waits for the broker to acknowledge it (QoS 1); throws what it or the way there refused. */
export async function publish(
  { url, username, topic }: MqttOptions,
  secret: string | null,
  { payload, ca }: { payload: string; ca?: string | undefined },
): Promise<string> {
  const client = await connectAsync(url, {
    ...{ protocolVersion: 4, clean: true, reconnectPeriod: 0, connectTimeout: waitMs },
    ...(username && { username, password: secret ?? '' }),
    ...(ca !== undefined && { ca }),
  });
  try {
    const late = AbortSignal.timeout(waitMs);
    const refused = new Promise<never>((_, reject) => {
      late.addEventListener('abort', () => reject(new Error(`no acknowledgement within ${waitMs / 1000} s`)));
      client.on('error', reject);
      client.on('close', () => reject(new Error('the broker closed the connection')));
    });
    await Promise.race([client.publishAsync(topic, payload, { qos: 1 }), refused]);
    return 'the broker acknowledged it';
  } finally {
    await client.endAsync(true).catch(() => undefined); // it may be gone already
  }
}
