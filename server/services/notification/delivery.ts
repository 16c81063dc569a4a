import { createHmac } from 'node:crypto';
import type { NotificationOptions } from '../../contract/notification-target.ts';
import type { Outgoing } from '../../db/repositories/notification.ts';
import { sendMail } from '../../outbound/mail.ts';
import { publish } from '../../outbound/mqtt-publish.ts';
import { UpstreamError } from '../../outbound/outbound-error.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import type { Message } from './text.ts';

export interface Delivery {
  options: NotificationOptions;
  secret: string | null;
  message: Message;
  /** For machines, in place of the payload built from message and alarms. */
  payload?: string;
  /** Empty for a test. */
  outgoing: readonly Outgoing[];
  at: string;
}

/** Sends a message; returns the recipient's answer. Throws an error whose message says what went wrong. Always ends. */
export type Deliver = (delivery: Delivery) => Promise<string>;

interface Trust {
  outbound: Pick<Outbound, 'fetch'>;
  /** Certificates trusted beside the system's, PEM. */
  ca?: string;
  /** Mail servers on this machine, for tests. */
  allowLoopback?: boolean;
  /** Time limit of each delivery by mail or MQTT; by default their own. */
  limitMs?: number;
}

/** Delivers in three ways: by mail, by a message on a broker, by a call to a web address. */
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

/**
 * With a key the call is signed, so that the recipient can verify its sender: HMAC-SHA-256 (RFC 2104) of the body in
 * hexadecimal.
 */
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
  if (status < 200 || status > 299) throw new UpstreamError('refused', `the address answered with status ${status}`);
  return `status ${status}`;
}
