import { once } from 'node:events';
import { connect } from 'node:net';
import { createTransport } from 'nodemailer';
import type { NotificationOptions } from '../contract/notification-target.ts';
import { allowedAddress } from './allowed-address.ts';
import { endsWithin } from './ends-within.ts';

export interface Mail {
  subject: string;
  text: string;
}

type EmailOptions = Extract<NotificationOptions, { kind: 'email' }>;

/** Longest silence of the server. */
const waitMs = 15_000;
/** For the whole exchange: a server that sends a line now and then is never silent for so long. */
const limitMs = 45_000;

export interface MailWay {
  /** Certificates trusted beside the system's, PEM. */
  ca?: string | undefined;
  allowLoopback?: boolean | undefined;
  /** Default 45 s. */
  limitMs?: number | undefined;
}

/**
 * Hands a mail to a mail server of the internet or the local network, but not of this machine; returns its answer, and
 * throws its refusal or the connection's error.
 */
export async function sendMail(
  { host, port, security, username, from, to }: EmailOptions,
  secret: string | null,
  { subject, text, ca, allowLoopback, limitMs: within = limitMs }: Mail & MailWay,
): Promise<string> {
  return endsWithin(within, async (signal) => {
    const address = await allowedAddress(host, { policy: 'lan', allowLoopback });
    const connection = connect({ host: address, port });
    signal.addEventListener('abort', () => connection.destroy());
    await once(connection, 'connect', { signal });
    const transport = createTransport({
      host,
      port,
      secure: security === 'tls',
      requireTLS: security === 'starttls',
      ignoreTLS: security === 'none',
      connection,
      socketTimeout: waitMs,
      greetingTimeout: waitMs,
      ...(username && { auth: { user: username, pass: secret ?? '' } }),
      ...(ca !== undefined && { tls: { ca } }),
    });
    const answer = await transport.sendMail({ from, to, subject, text });
    return answer.response;
  });
}
