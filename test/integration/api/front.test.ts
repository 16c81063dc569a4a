import { once } from 'node:events';
import { connect as connectH2 } from 'node:http2';
import { connect, createServer, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { Front } from '../../../server/api/front.ts';
import { defineRoute, RawJson } from '../../../server/api/route.ts';
import { endpoint, mediaType } from '../../../server/contract/endpoint.ts';
import { openCertificates } from '../../../server/tls/certificates.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { sampleRoutes } from '../../support/sample-routes.ts';

let api: TestApi;

async function start(front: Parameters<typeof startTestApi>[0]['front'] = {}, routes = sampleRoutes()): Promise<void> {
  api = await startTestApi({ routes, front });
}

beforeEach(() => start());
afterEach(() => api.close());

async function untilClosed(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
  return text;
}

describe('plain HTTP', () => {
  it('is told to use HTTPS, also with a long body, and nothing of it is processed', async () => {
    const socket = connect(api.port, '127.0.0.1');
    const body = 'x'.repeat(500_000);
    socket.write(`POST /api/samples HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
    const text = await untilClosed(socket);
    const [head = '', answer = ''] = text.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(head).toContain('Connection: close');
    expect(JSON.parse(answer)).toMatchObject({ status: 400, code: 'https_required', title: 'Bad Request' });
    expect(api.log).toEqual([]);
  });
});

describe('slow and broken clients', () => {
  it('are cut before the first byte, in the handshake, and in the headers', async () => {
    await api.close();
    await start({ headersTimeoutMs: 150, requestTimeoutMs: 150 });
    const silent = connect(api.port, '127.0.0.1');
    const halfHandshake = connect(api.port, '127.0.0.1', () => halfHandshake.write(Buffer.from([0x16, 3, 1])));
    const halfHeaders = connectTls(
      { port: api.port, host: 'localhost', ca: api.ca, ALPNProtocols: ['http/1.1'] },
      () => {
        halfHeaders.write('GET /api/samples HTTP/1.1\r\nHost: lo');
      },
    );
    await Promise.all([untilClosed(silent), untilClosed(halfHandshake), untilClosed(halfHeaders)]);
  });

  it('that break off or speak nonsense harm nobody else', async () => {
    for (const bytes of [[0x16, 0xff, 0xff, 0xff], [0x00], [0x16]]) {
      const socket = connect(api.port, '127.0.0.1', () => socket.end(Buffer.from(bytes)));
      await untilClosed(socket);
    }
    const reset = connect(api.port, '127.0.0.1', () => reset.resetAndDestroy());
    await untilClosed(reset);
    expect((await api.request('GET', '/api/samples', { key: 'key:Admin' })).status).toBe(200);
  });
});

/** Opens HTTP/2 connections that only stand there; gives how many of them were cut so far. */
async function standAround(count: number): Promise<() => number> {
  let cut = 0;
  for (let i = 0; i < count; i += 1) {
    const client = connectH2(`https://localhost:${api.port}`, { ca: api.ca });
    onTestFinished(() => client.destroy());
    client.on('error', () => undefined);
    client.once('close', () => (cut += 1));
    await new Promise((resolve) => {
      client.once('remoteSettings', resolve);
      client.once('close', resolve);
    });
  }
  return () => cut;
}

describe('a crowd that only stands there', () => {
  it('keeps nobody out, and cuts off nobody who has logged in', async () => {
    await api.close();
    await start({ connections: { mostOfLoopback: 10 } });
    const known = connectH2(`https://localhost:${api.port}`, { ca: api.ca });
    onTestFinished(() => known.destroy());
    const ask = async (): Promise<unknown> => {
      const call = known.request({ ':path': '/api/samples', accept: mediaType, 'x-api-key': 'key:Admin' });
      const status = await new Promise((resolve) => call.once('response', (headers) => resolve(headers[':status'])));
      call.close();
      return status;
    };
    expect(await ask()).toBe(200);
    const cut = await standAround(25);
    expect(await ask()).toBe(200);
    expect((await api.request('GET', '/api/samples', { key: 'key:Editor' })).status).toBe(200);
    await expect.poll(cut).toBeGreaterThanOrEqual(15);
  });
});

describe('answers that nobody takes', () => {
  it('are not made without end, and others are answered', async () => {
    let made = 0;
    const big = defineRoute(
      endpoint({
        method: 'GET',
        path: '/api/big',
        tag: 'samples',
        summary: 'Much',
        access: 'login',
        statuses: [200],
        answer: z.string(),
      }),
      () => {
        made += 1;
        return new RawJson(JSON.stringify('x'.repeat(200 * 1024)));
      },
    );
    await api.close();
    await start({}, [...sampleRoutes(), big]);
    const client = connectH2(`https://localhost:${api.port}`, { ca: api.ca, settings: { initialWindowSize: 0 } });
    onTestFinished(() => client.destroy());
    client.on('error', () => undefined);
    const headers = { ':path': '/api/big', accept: mediaType, 'x-api-key': 'key:Guest' };
    for (let i = 0; i < 90; i += 1) client.request(headers).on('error', () => undefined);
    await expect.poll(() => made).toBe(16);
    expect((await api.request('GET', '/api/big', { key: 'key:Admin' })).status).toBe(200);
    expect(made).toBe(17);
    client.destroy();
    await expect.poll(async () => (await api.request('GET', '/api/big', { key: 'key:Guest' })).status).toBe(200);
  });
});

describe('close', () => {
  it('ends idle connections and open streams', async () => {
    async function* stream() {
      yield 'data: 1\n\n';
      await new Promise(() => undefined);
    }
    await api.close();
    await start({}, sampleRoutes({ stream }));
    await api.request('GET', '/api/samples', { key: 'key:Admin' });
    const client = connectH2(`https://localhost:${api.port}`, { ca: api.ca });
    client.on('error', () => undefined);
    const call = client.request({ ':path': '/api/samples/stream', 'x-api-key': 'key:Admin' });
    call.on('error', () => undefined);
    await new Promise((resolve) => call.once('data', resolve));
    const closed = new Promise((resolve) => client.once('close', resolve));
    await api.close();
    await closed;
  });
});

describe('listen', () => {
  const handle = () => undefined;

  it('waits for a port that is taken, and says so when it stays', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const first = new Front({ handle, tls: api.certificates });
    const refused = first.listen({ host: '127.0.0.1', port, waitMs: 0 });
    await expect(refused).rejects.toMatchObject({
      code: 'cannot_listen',
      message: `127.0.0.1:${port} is taken by another program`,
    });
    const waiting = first.listen({ host: '127.0.0.1', port, waitMs: 5000 });
    taken.close();
    expect(await waiting).toBe(port);
    await first.close();
  });

  it('goes from loopback to all addresses without refusing a connection', async () => {
    const front = new Front({ handle, tls: api.certificates });
    const port = await front.listen({ host: '127.0.0.1', port: 0, isShared: true });
    let asking = true;
    const refused: unknown[] = [];
    let answered = 0;
    const knock = async (): Promise<void> => {
      while (asking) {
        const socket = connect(port, '127.0.0.1');
        const outcome = await once(socket, 'connect').catch((error: unknown) => error);
        if (outcome instanceof Error) refused.push(outcome);
        else answered += 1;
        socket.destroy();
      }
    };
    const knocking = Array.from({ length: 8 }, knock);
    await vi.waitUntil(() => answered > 50);
    await front.listen({ host: '0.0.0.0', port, isShared: true });
    const before = answered;
    await vi.waitUntil(() => answered > before + 50);
    asking = false;
    await Promise.all(knocking);
    expect(refused).toEqual([]);
    await front.close();
  });

  it('notices another program on a port that it would share with itself alone', async () => {
    const one = new Front({ handle, tls: api.certificates });
    const port = await one.listen({ host: '127.0.0.1', port: 0, isShared: true });
    const other = new Front({ handle, tls: api.certificates });
    await expect(other.listen({ host: '127.0.0.1', port, waitMs: 0, isShared: true })).rejects.toMatchObject({
      code: 'cannot_listen',
    });
    await one.close();
  });

  it('says at once when the address is not its own', async () => {
    const front = new Front({ handle, tls: api.certificates });
    await expect(front.listen({ host: '192.0.2.1', port: 0 })).rejects.toMatchObject({ code: 'cannot_listen' });
  });
});

describe('renew', () => {
  it('serves a new leaf to new connections without a restart', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'orangery-front-'));
    const made = await openCertificates({
      directory,
      hostName: 'new',
      addresses: () => [],
      extraNames: [],
      now: () => new Date(),
    });
    rmSync(directory, { recursive: true });
    const front = new Front({ handle: (_request, response) => void response.end('ok'), tls: api.certificates });
    const port = await front.listen({ host: '127.0.0.1', port: 0 });
    const names = async (): Promise<string | undefined> =>
      new Promise((resolve, reject) => {
        const socket = connectTls({ port, host: 'localhost', ca: [api.ca, made.ca_pem] }, () => {
          resolve(socket.getPeerCertificate().subjectaltname);
          socket.destroy();
        });
        socket.on('error', reject);
      });
    expect(await names()).not.toContain('new.local');
    front.renew(made);
    expect(await names()).toContain('new.local');
    await front.close();
  });
});
