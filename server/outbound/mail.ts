import { createTransport } from 'nodemailer';
import type { NotificationOptions } from '../contract/notification-target.ts';

export interface Mail {
  subject: string;
  text: string;
}

type EmailOptions = Extract<NotificationOptions, { kind: 'email' }>;

const waitMs = 15_000;

export interface MailTrust {
  /** Certificates that are trusted beside the system's, PEM. */
  ca?: string | undefined;
}

/** Hands a mail to a mail server; gives what it answered, and throws what it or the way there refused. */
export async function sendMail(
  { host, port, security, username, from, to }: EmailOptions,
  secret: string | null,
  { subject, text, ca }: Mail & MailTrust,
): Promise<string> {
  const transport = createTransport({
    ...{ host, port, secure: security === 'tls', requireTLS: security === 'starttls', ignoreTLS: security === 'none' },
    ...{ connectionTimeout: waitMs, greetingTimeout: waitMs, socketTimeout: waitMs },
    ...(username && { auth: { user: username, pass: secret ?? '' } }),
    ...(ca !== undefined && { tls: { ca } }),
  });
  try {
    const answer = await transport.sendMail({ from, to, subject, text });
    return answer.response;
  } finally {
    transport.close();
  }
}
