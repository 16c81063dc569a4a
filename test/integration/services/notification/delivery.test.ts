import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { Aedes } from 'aedes';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { NotificationOptions } from '../../../../server/contract/notification-target.ts';
import { deliveryFaultOf } from '../../../../server/outbound/delivery-fault.ts';
import { Outbound } from '../../../../server/outbound/outbound.ts';
import { deliverer, type Delivery } from '../../../../server/services/notification/delivery.ts';
import { loopbackCertificate } from '../../../support/loopback-certificate.ts';

const tls = await loopbackCertificate();
const frost = { subject: '[Farm] Emergency: Frost · House 1', text: '서리 -3 °C' };

function send(options: NotificationOptions, secret: string | null = null): Promise<string> {
  const outbound = new Outbound({ allowLoopback: true, ca: tls.ca });
  onTestFinished(() => outbound.close());
  const delivery: Delivery = { options, secret, message: frost, outgoing: [], at: '2026-03-01T00:00:00.000Z' };
  return deliverer({ outbound, ca: tls.ca, allowLoopback: true, limitMs: 1_000 })(delivery);
}

/** What is said of a delivery that fails with this message. */
async function faultOf(sending: Promise<string>, message: RegExp): Promise<string | null> {
  const error: unknown = await sending.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(String(error)).toMatch(message);
  return deliveryFaultOf(error);
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port; // it listens on TCP
}

describe('by mail', () => {
  async function mailServer(options: SMTPServerOptions = {}) {
    const mails: string[] = [];
    const server = new SMTPServer({
      key: tls.key,
      cert: tls.cert,
      logger: false,
      onAuth: ({ username, password }, _, callback) =>
        password === 'right' ? callback(null, { user: username }) : callback(new Error('535 wrong password')),
      onRcptTo: ({ address }, _, callback) =>
        address.startsWith('nobody') ? callback(new Error('550 no such mailbox')) : callback(),
      onData: (stream, _, callback) => {
        let mail = '';
        stream.on('data', (part: Buffer) => (mail += part.toString()));
        stream.on('end', () => {
          mails.push(mail);
          callback();
        });
      },
      ...options,
    });
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const { port } = server.server.address() as AddressInfo; // it listens on TCP
    const to = (is: Partial<Extract<NotificationOptions, { kind: 'email' }>>): NotificationOptions => ({
      kind: 'email',
      host: '127.0.0.1',
      port,
      security: 'starttls',
      username: 'farm',
      from: 'farm@example.org',
      to: ['kim@example.org'],
      ...is,
    });
    return { mails, to };
  }

  it('reaches the mail server over TLS, with its text', async () => {
    const { mails, to } = await mailServer();
    expect(await send(to({}), 'right')).toMatch(/^250/);
    expect(mails[0]).toContain('To: kim@example.org');
    expect(mails[0]).toContain('Subject: =?UTF-8?');
    expect(mails[0]).toMatch(/Content-Type: text\/plain; charset=utf-8/);
  });

  it('reaches one that speaks TLS from the first byte', async () => {
    const { mails, to } = await mailServer({ secure: true });
    await send(to({ security: 'tls' }), 'right');
    expect(mails).toHaveLength(1);
  });

  it('says what the server refused, and sends no password without the TLS that was asked for', async () => {
    const { mails, to } = await mailServer();
    expect(await faultOf(send(to({}), 'wrong'), /535/)).toBe('login_refused');
    expect(await faultOf(send(to({ to: ['nobody@example.org'] }), 'right'), /550/)).toBe('recipient_refused');
    const plain = await mailServer({ disabledCommands: ['STARTTLS'] });
    expect(await faultOf(send(plain.to({}), 'right'), /STARTTLS/i)).toBe('not_encrypted');
    expect(await faultOf(send(to({ port: 1 }), 'right'), /ECONNREFUSED/)).toBe('unreachable');
    expect([...mails, ...plain.mails]).toEqual([]);
  });
});

describe('by MQTT', () => {
  async function broker() {
    const aedes = await Aedes.createBroker({
      authenticate: (_, username, password, done) => done(null, username === undefined || String(password) === 'right'),
    });
    const port = await portOf(createServer(aedes.handle));
    onTestFinished(() => new Promise<void>((resolve) => aedes.close(resolve)));
    const messages: { topic: string; payload: unknown }[] = [];
    aedes.on('publish', ({ topic, payload }, client) => {
      if (client) messages.push({ topic, payload: JSON.parse(String(payload)) as unknown });
    });
    return { messages, to: { kind: 'mqtt', url: `mqtt://127.0.0.1:${port}`, topic: 'farm/alarms' } as const };
  }

  it('is acknowledged by the broker', async () => {
    const { messages, to } = await broker();
    expect(await send({ ...to, username: 'farm' }, 'right')).toBe('the broker acknowledged it');
    expect(messages).toEqual([
      { topic: 'farm/alarms', payload: { at: '2026-03-01T00:00:00.000Z', ...frost, alarms: [] } },
    ]);
  });

  it('says that it was refused or that nobody is there', async () => {
    const { to } = await broker();
    expect(await faultOf(send({ ...to, username: 'farm' }, 'wrong'), /not authori[sz]ed/i)).toBe('login_refused');
    expect(await faultOf(send({ ...to, url: 'mqtt://127.0.0.1:1' }), /ECONNREFUSED/)).toBe('unreachable');
  });
});

describe('a server that falls silent', () => {
  /**
   * Plays the first answers of a protocol, each to one message, and then closes the connection or says nothing more.
   */
  async function player(answers: readonly Buffer[], ends: 'closes' | 'says nothing', greeting = '') {
    const ended = Promise.withResolvers<void>();
    const server = createServer((socket) => {
      let turn = 0;
      socket.on('error', () => undefined).on('close', () => ended.resolve());
      const next = (): void => {
        const answer = answers[turn];
        turn += 1;
        if (answer !== undefined) socket.write(answer);
        else if (ends === 'closes') socket.destroy();
      };
      if (greeting !== '') socket.write(greeting);
      else if (answers.length === 0 && ends === 'closes') socket.destroy();
      socket.on('data', next);
    });
    return { port: await portOf(server), ended: ended.promise };
  }

  const connack = Buffer.from([0x20, 2, 0, 0]); // MQTT 3.1.1, section 3.2
  it.each([
    ['before its first answer', 'closes', []],
    ['before its first answer', 'says nothing', []],
    ['before the acknowledgement', 'closes', [connack]],
    ['before the acknowledgement', 'says nothing', [connack]],
  ] as const)('%s: a message by MQTT has failed when it %s', async (_, ends, answers) => {
    const { port, ended } = await player(answers, ends);
    const to = { kind: 'mqtt', url: `mqtt://127.0.0.1:${port}`, topic: 'farm/alarms' } as const;
    const [message, fault] =
      ends === 'closes' ? [/closed the connection/, 'interrupted'] : [/longer than 1 s/, 'timed_out'];
    expect(await faultOf(send(to), message)).toBe(fault);
    await ended;
  });

  it.each([
    ['at once', 'closes', [], ''],
    ['at once', 'says nothing', [], ''],
    ['after its greeting', 'closes', [], '220 mail\r\n'],
    ['after its greeting', 'says nothing', [], '220 mail\r\n'],
    ['after a line of an answer', 'says nothing', [Buffer.from('250-more\r\n')], '220 mail\r\n'],
  ] as const)('%s: a mail has failed when it %s', async (_, ends, answers, greeting) => {
    const { port, ended } = await player(answers, ends, greeting);
    const people = { from: 'farm@example.org', to: ['kim@example.org'] };
    await expect(send({ kind: 'email', host: '127.0.0.1', port, security: 'none', ...people })).rejects.toThrow();
    await ended;
  });
});

it('by mail never goes to this machine itself', async () => {
  const outbound = new Outbound();
  onTestFinished(() => outbound.close());
  const places = ['127.0.0.1', 'localhost', '::1', '169.254.169.254', '100.100.100.200'];
  for (const host of places) {
    const options = { kind: 'email', host, port: 25, security: 'none', from: 'a@example.org', to: ['b@example.org'] };
    const delivery = { options, secret: 'x', message: frost, outgoing: [], at: '' } as Delivery;
    await expect(deliverer({ outbound })(delivery)).rejects.toMatchObject({ code: 'refused_address' });
  }
});

describe('by webhook', () => {
  async function listener(status = 204) {
    const calls: { signature: unknown; body: string }[] = [];
    const server = createHttpsServer({ key: tls.key, cert: tls.cert }, (request, response) => {
      let body = '';
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => {
        calls.push({ signature: request.headers['x-orangery-signature'], body });
        response.writeHead(status).end();
      });
    });
    const port = await portOf(server);
    return { calls, to: { kind: 'webhook', url: `https://localhost:${port}/hook`, network: 'lan' } as const };
  }

  it('is signed with the key', async () => {
    const { calls, to } = await listener();
    expect(await send(to, 'key')).toBe('status 204');
    const [call] = calls;
    const expected = createHmac('sha256', 'key')
      .update(call?.body ?? '')
      .digest('hex');
    expect(call?.signature).toBe(`sha256=${expected}`);
    expect(JSON.parse(call?.body ?? '')).toMatchObject(frost);
  });

  it('that is not answered with success has failed', async () => {
    const { to } = await listener(500);
    expect(await faultOf(send(to), /status 500/)).toBe('refused');
  });

  it('has failed when its certificate is not trusted', async () => {
    const { to, calls } = await listener();
    const outbound = new Outbound({ allowLoopback: true });
    onTestFinished(() => outbound.close());
    const delivery: Delivery = { options: to, secret: null, message: frost, outgoing: [], at: '' };
    expect(await faultOf(deliverer({ outbound })(delivery), /./)).toBe('not_trusted');
    expect(calls).toEqual([]);
  });

  it('does not go where the policy does not let it', async () => {
    const { calls, to } = await listener();
    const outbound = new Outbound({ ca: tls.ca });
    onTestFinished(() => outbound.close());
    const delivery: Delivery = { options: to, secret: null, message: frost, outgoing: [], at: '' };
    await expect(deliverer({ outbound })(delivery)).rejects.toMatchObject({ code: 'refused_address' });
    expect(calls).toEqual([]);
  });
});
