import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { httpOptions, type HttpOptions } from '../../../../server/contract/drivers/http.ts';
import { driver } from '../../../../server/daemon/drivers/http/index.ts';
import type { DeviceKind } from '../../../../server/contract/drivers/driver.ts';
import { DriverError, type Device } from '../../../../server/daemon/drivers/driver.ts';
import { loopbackCertificate } from '../../../support/loopback-certificate.ts';
import { ManualClock } from '../../../support/manual-clock.ts';

const calm = new AbortController().signal;

type Asked = Partial<HttpOptions> & Pick<HttpOptions, 'channels'>;

async function connect(kind: DeviceKind, options: HttpOptions, isLoopbackOpen = true): Promise<Device> {
  const outbound = { allowLoopback: isLoopbackOpen };
  const family = driver.start({ clock: new ManualClock(), log: () => undefined, outbound });
  const channels = options.channels.map(({ channel }) => channel);
  const checked = httpOptions.parse({ timeout_ms: 10_000, ...options });
  const device = await family.connect({ device_id: 'device', kind, options: checked, channels }, calm);
  onTestFinished(() => device.close());
  return device;
}

/** A device that answers as it is told. */
async function served(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
}

async function input(answer: RequestListener, options: Asked): Promise<Device> {
  return connect('input', { base_url: await served(answer), read_path: '/', ...options });
}

async function output(answer: RequestListener, options: Asked): Promise<Device> {
  return connect('output', { base_url: await served(answer), ...options });
}

const whole = { channels: [{ channel: 0 }] };
const relay = { channel: 0, command_path: '/relay?turn={state}' };

describe('an input that is read by HTTP', () => {
  it('gives every channel of one answer, and asks each place once', async () => {
    const asked: string[] = [];
    const device = await input(
      (request, response) => {
        asked.push(request.url ?? '');
        if (request.url === '/plain') response.end(' 21.5\r\n');
        else response.end(JSON.stringify({ air: { t: '19.25', rh: 61, wet: true }, list: [{ v: -4e1 }] }));
      },
      {
        read_path: '/status',
        channels: [
          { channel: 0, path: 'air.t' },
          { channel: 1, path: '/air/rh' },
          { channel: 2, path: 'air.wet' },
          { channel: 3, path: '/list/0/v' },
          { channel: 4, path: 'air.missing' },
          { channel: 5, read_path: '/plain' },
        ],
      },
    );
    const readings = await device.read?.(calm);
    expect(readings?.map(({ value }) => value)).toEqual([19.25, 61, 1, -40, null, 21.5]);
    expect(asked).toEqual(['/status', '/plain']);
  });

  it('reads nothing of the channels that are not configured', async () => {
    const options = httpOptions.parse({
      base_url: await served((_, response) => response.end('1')),
      read_path: '/',
      channels: [{ channel: 0 }, { channel: 1, read_path: '/never' }],
    });
    const family = driver.start({
      clock: new ManualClock(),
      log: () => undefined,
      outbound: { allowLoopback: true },
    });
    const device = await family.connect({ device_id: 'device', kind: 'input', options, channels: [0] }, calm);
    onTestFinished(() => device.close());
    expect(await device.read?.(calm)).toEqual([{ channel: 0, value: 1 }]);
  });

  it.each([
    ['nothing', ''],
    ['a page', '<html>21.5</html>'],
    ['NaN', 'NaN'],
    ['Infinity', 'Infinity'],
    ['more than a double holds', '1e999'],
    ['hexadecimal', '0x10'],
    ['an object', '{"value": 1}'],
    ['an object that would be a prototype', '{"__proto__": 1}'],
    ['a deep nest', '['.repeat(100_000)],
  ])('takes %s for no number', async (_, body) => {
    const device = await input((_request, response) => response.end(body), whole);
    await expect(device.read?.(calm)).rejects.toMatchObject({ code: 'bad_answer' });
  });

  it.each([
    [401, 'refused'],
    [404, 'refused'],
    [302, 'bad_answer'],
    [500, 'bad_answer'],
  ])('fails by status %i as %s', async (status, code) => {
    const asked: string[] = [];
    const device = await input((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(status, { location: '/elsewhere' }).end('21.5');
    }, whole);
    await expect(device.read?.(calm)).rejects.toMatchObject({ code });
    expect(asked).toEqual(['/']);
  });

  it('gives up an answer without an end', async () => {
    const device = await input((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write('1'.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    }, whole);
    await expect(device.read?.(calm)).rejects.toMatchObject({ code: 'bad_answer' });
  });

  it('gives up an answer that does not come, at its own time-out or when it is told', async () => {
    const device = await input(() => undefined, { ...whole, timeout_ms: 100 });
    await expect(device.read?.(calm)).rejects.toBeInstanceOf(DriverError);
    const patient = await input(() => givenUp.abort(), whole);
    const givenUp = new AbortController();
    await expect(patient.read?.(givenUp.signal)).rejects.toMatchObject({ code: 'timed_out' });
  });

  it('says that it is not there', async () => {
    const device = await connect('input', { base_url: 'http://127.0.0.1:2', read_path: '/', ...whole });
    await expect(device.read?.(calm)).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('is never this machine itself', async () => {
    const asked: string[] = [];
    const base_url = await served((request) => void asked.push(request.url ?? ''));
    const device = await connect('input', { base_url, read_path: '/', ...whole }, false);
    await expect(device.read?.(calm)).rejects.toMatchObject({ code: 'unsupported' });
    expect(asked).toEqual([]);
  });

  it.each([
    [{ password: 'k3y' }, 'Bearer k3y'],
    [{ username: 'grower', password: 'k3y' }, `Basic ${Buffer.from('grower:k3y').toString('base64')}`],
    [{}, undefined],
  ])('shows what lets it in: %o', async (login, expected) => {
    const shown: unknown[] = [];
    const device = await input(
      (request, response) => {
        shown.push(request.headers.authorization);
        response.end('1');
      },
      { ...whole, ...login },
    );
    await device.read?.(calm);
    expect(shown).toEqual([expected]);
  });

  it('is spoken to over TLS only where the certificate is trusted', async () => {
    const { key, cert, ca } = await loopbackCertificate();
    const server = createTlsServer({ key, cert }, (_, response) => response.end('7'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const base_url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
    const trusting = await connect('input', { base_url, read_path: '/', ca, ...whole });
    expect(await trusting.read?.(calm)).toEqual([{ channel: 0, value: 7 }]);
    const stranger = await connect('input', { base_url, read_path: '/', ...whole });
    await expect(stranger.read?.(calm)).rejects.toMatchObject({ code: 'unreachable' });
  });
});

describe('an output that is commanded by HTTP', () => {
  it('is told by its template, and has confirmed with 2xx', async () => {
    const told: string[] = [];
    const device = await output(
      (request, response) => {
        void text(request).then((body) => {
          told.push(`${request.method} ${request.url} ${request.headers['content-type'] ?? '-'} ${body}`);
          response.writeHead(204).end();
        });
      },
      {
        channels: [
          { ...relay, command_method: 'GET', command_body: 'not sent' },
          { channel: 1, command_path: '/state', command_method: 'PUT', command_body: '{"bri": {value}}' },
          { channel: 2, command_path: '/form', command_body: 'on={bit}', command_type: 'form' },
        ],
      },
    );
    expect(await device.write?.(0, 'on', calm)).toEqual({ acknowledged: true });
    await device.write?.(1, 42, calm);
    await device.write?.(2, 'off', calm);
    expect(told).toEqual([
      'GET /relay?turn=on - ',
      'PUT /state application/json {"bri": 42}',
      'POST /form application/x-www-form-urlencoded on=0',
    ]);
    expect(device.readState).toBeUndefined();
  });

  it('says what it is where it is asked, and nothing of a channel that speaks no sense', async () => {
    const device = await output(
      (_, response) => response.end('{"relays": [{"on": true}, {"on": "OFF"}, {}], "pos": 30}'),
      {
        read_path: '/status',
        channels: [
          { ...relay, path: '/relays/0/on' },
          { ...relay, channel: 1, path: '/relays/1/on' },
          { ...relay, channel: 2, path: '/relays/2/on' },
          { channel: 3, path: 'pos', command_path: '/pos/{value}' },
          { ...relay, channel: 4, path: 'pos' },
        ],
      },
    );
    expect([...((await device.readState?.(calm)) ?? [])]).toEqual([
      [0, 'on'],
      [1, 'off'],
      [2, null],
      [3, 30],
      [4, null],
    ]);
  });

  it('has not confirmed when it says yes and stays as it was', async () => {
    const channels = [{ ...relay, read_path: '/state' }];
    const liar: RequestListener = (_, response) => response.end('off');
    const device = await output(liar, { channels });
    await expect(device.write?.(0, 'on', calm)).rejects.toMatchObject({ code: 'bad_answer' });
    const trusted = await output(liar, { channels: [{ ...relay, read_path: '/state', readback: false }] });
    expect(await trusted.write?.(0, 'on', calm)).toEqual({ acknowledged: true });
  });

  it('may report a position to the percent, and need not be readable after it said yes', async () => {
    const channels = [{ channel: 0, read_path: '/state', command_path: '/position/{value}' }];
    const device = await output((_, response) => response.end('33'), { channels });
    expect(await device.write?.(0, 33.3, calm)).toEqual({ acknowledged: true });
    const mute = await output(
      (request, response) => {
        response.writeHead(request.url === '/state' ? 503 : 200).end();
      },
      { channels },
    );
    expect(await mute.write?.(0, 33.3, calm)).toEqual({ acknowledged: true });
  });

  it.each([
    ['says no', 403, { code: 'refused', stateIsUnknown: false }],
    ['points elsewhere', 303, { code: 'bad_answer', stateIsUnknown: true }],
    ['failed over it', 500, { code: 'bad_answer', stateIsUnknown: true }],
  ])('that %s has not confirmed', async (_, status, failure) => {
    const device = await output(
      (_request, response) => {
        response.writeHead(status, { location: '/' }).end();
      },
      { channels: [relay] },
    );
    await expect(device.write?.(0, 'on', calm)).rejects.toMatchObject(failure);
  });

  it('leaves unknown what broke off after it was sent, and sends it once', async () => {
    const told: string[] = [];
    const device = await output(
      (request) => {
        told.push(request.url ?? '');
        request.socket.destroy();
      },
      { channels: [{ ...relay, command_method: 'GET' }] },
    );
    await expect(device.write?.(0, 'on', calm)).rejects.toMatchObject({ stateIsUnknown: true });
    expect(told).toEqual(['/relay?turn=on']);
  });

  it('is told one thing at a time, and not when the time is over', async () => {
    const waiting: (() => void)[] = [];
    const told: string[] = [];
    const device = await output(
      (request, response) => {
        told.push(request.url ?? '');
        waiting.push(() => void response.end());
      },
      { channels: [relay] },
    );
    const first = device.write?.(0, 'on', calm);
    const over = new AbortController();
    const second = device.write?.(0, 'off', over.signal);
    over.abort();
    await expect.poll(() => waiting.length).toBe(1);
    waiting[0]?.();
    await first;
    await expect(second).rejects.toMatchObject({ code: 'unreachable', stateIsUnknown: false });
    expect(told).toEqual(['/relay?turn=on']);
  });
});
