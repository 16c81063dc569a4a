import { createHmac } from 'node:crypto';
import type { NotificationOptions } from '../../contract/notification-target.ts';
import type { Outgoing } from '../../db/repositories/notification.ts';
import { sendMail } from '../../outbound/mail.ts';
import { publish } from '../../outbound/mqtt-publish.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import type { Message } from './text.ts';

export interface Delivery {
  options: NotificationOptions;
  secret: string | null;
  message: Message;
  /** For machines, in place of what is made of message and alarms. */
  payload?: string;
  /** Empty for a test. */
  outgoing: readonly Outgoing[];
  at: string;
}

/** Sends a message; returns what the other side answered. Throws an error whose message says what went wrong. It always ends. */
export type Deliver = (delivery: Delivery) => Promise<string>;

interface Trust {
  outbound: Pick<Outbound, 'fetch'>;
  /** Certificates that are trusted beside the system's, PEM. */
  ca?: string;
  /** Mail servers on this machine, for tests. */
  allowLoopback?: boolean;
  /** For each delivery by mail or MQTT; their own when absent. */
  limitMs?: number;
}

/** The three ways: a mail, a message on a broker, a call of a web address. */
export function deliverer({ outbound, ...way }: Trust): Deliver {
  return async ({ options, secret, message, outgoing, at, payload: given }) => {
    if (options.kind === 'email') return sendMail(options, secret, { ...message, ...way });
    const alarms = outgoing.map(({ reason, at: since, facts }) => ({ reason, at: since, ...facts }));
    const payload = given ?? JSON.stringify({ at, ...message, alarms });
    if (options.kind === 'mqtt') return publish(options, secret, { payload, ...way });
    return callWebhook({ outbound, options, secret, payload });
  };
}

interface WebhookCall {
  outbound: Trust['outbound'];
  options: Extract<NotificationOptions, { kind: 'webhook' }>;
  secret: string | null;
  payload: string;
}

/** Signed, where there is a key, so that the other side knows who speaks: HMAC-SHA-256 (RFC 2104) of the body in hexadecimal. */
async function callWebhook({ outbound, options, secret, payload }: WebhookCall): Promise<string> {
  const signature = secret === null ? undefined : createHmac('sha256', secret).update(payload).digest('hex');
  const { status } = await outbound.fetch(options.url, {
    policy: options.network,
    method: 'POST',
    body: payload,
    headers: {
      'content-type': 'application/json',
      ...(signature && { 'x-orangery-signature': `sha256=${signature}` }),
    },
  });
  if (status < 200 || status > 299) throw new Error(`the address answered with status ${status}`);
  return `status ${status}`;
}
