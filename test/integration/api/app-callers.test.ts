import { randomUUID } from 'node:crypto';
import { connect as connectH2 } from 'node:http2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sessionCookieName } from '../../../server/api/session-cookie.ts';
import type { Authenticator } from '../../../server/auth/authenticator.ts';
import { mediaType } from '../../../server/contract/endpoint.ts';
import {
  roleAuthenticator,
  startTestApi,
  type TestApi,
  type TestApiOptions,
  testCsrfToken,
} from '../../support/api.ts';
import { sampleRoutes } from '../../support/sample-routes.ts';

const id = '11111111-1111-4111-8111-11111111111A';
const admin = { key: 'key:Admin' };
let api: TestApi;
let nowMs: number;

async function restart(options: Partial<TestApiOptions> = {}): Promise<void> {
  await api.close();
  api = await startTestApi({ routes: sampleRoutes(), now_ms: () => nowMs, ...options });
}

beforeEach(async () => {
  nowMs = 0;
  api = await startTestApi({ routes: sampleRoutes(), now_ms: () => nowMs });
});

afterEach(() => api.close());

describe('who calls', () => {
  it.each([
    ['X-API-KEY', {}, { 'x-api-key': 'key:Admin' }],
    ['Authorization: Basic', {}, { authorization: 'basic key:Admin' }],
    ['a cookie', { cookie: 'session-Admin' }, {}],
  ])('is told by %s', async (_name, sent, headers) => {
    const answer = await api.request('GET', `/api/samples/${id}`, { ...sent, headers });
    expect(answer.body).toMatchObject({ user: 'admin' });
    expect(answer.headers.deprecation).toBeUndefined();
  });

  it('is told by ?api_key= too, which is deprecated, audited, and never logged', async () => {
    const answer = await api.request('GET', `/api/samples/${id}?api_key=key:Admin`);
    expect(answer).toMatchObject({ status: 200, headers: { deprecation: expect.stringMatching(/^@\d+$/) as string } });
    expect(api.audit).toMatchObject([
      { kind: 'apikey.url_auth', actor: { username: 'admin' }, target: `/api/samples/${id}` },
    ]);
    expect(api.log.some((line) => line.level === 40)).toBe(true);
    expect(JSON.stringify(api.log.map(({ key_id: _, ...line }) => line))).not.toContain('key:Admin');
  });

  it('a key that is sent wins over the cookie that the browser adds', async () => {
    const answer = await api.request('GET', `/api/samples/${id}`, { key: 'key:Guest', cookie: 'session-Admin' });
    expect(answer.body).toMatchObject({ user: 'guest' });
    expect((await api.request('GET', `/api/samples/${id}`, { key: 'no', cookie: 'session-Admin' })).status).toBe(401);
  });

  it('reads a space in ?api_key= as the plus that it was', async () => {
    const seen: (string | undefined)[] = [];
    const authenticate = (credentials: { api_key?: { key: string } }) => {
      seen.push(credentials.api_key?.key);
      return null;
    };
    await restart({ authenticator: { authenticate } });
    await api.request('GET', '/api/samples?api_key=a+b%2Bc%20d');
    expect(seen).toEqual(['a+b+c+d']);
  });

  it('is nobody on a public endpoint, whatever was sent', async () => {
    const sent = { key: 'key:Admin', cookie: 'session-Admin', body: { word: 'open' } };
    expect((await api.request('POST', '/api/samples/enter', sent)).body).toEqual({ word: 'open', user: null });
  });

  it('may modify by cookie from our own origin with the token', async () => {
    const sent = { cookie: 'session-Admin', csrf: testCsrfToken, body: { envelope: { length_m: 1 } } };
    const headers = { origin: `https://localhost:${api.port}` };
    expect((await api.request('POST', '/api/samples', { ...sent, headers })).status).toBe(201);
    for (const origin of ['null', 'http://localhost', `https://localhost:${api.port}.a.example`]) {
      expect((await api.request('POST', '/api/samples', { ...sent, headers: { origin } })).body).toMatchObject({
        code: 'origin_refused',
      });
    }
  });
});

describe('the limits', () => {
  it('refuse modifying requests above the limit by key, and let them again', async () => {
    await restart({ limits: { change: 2 } });
    const post = () => api.request('POST', `/api/samples/${id}/open`, admin);
    expect([(await post()).status, (await post()).status]).toEqual([200, 200]);
    const refused = await post();
    expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited' }, headers: { 'retry-after': '30' } });
    expect((await api.request('GET', '/api/samples', admin)).status).toBe(200);
    expect((await api.request('POST', `/api/samples/${id}/open`, { key: 'key:Editor' })).status).toBe(200);
    nowMs = 30_000;
    expect((await post()).status).toBe(200);
  });

  it('count invented keys for their address', async () => {
    await restart({ limits: { change: 2 } });
    const statuses = [];
    for (let i = 0; i < 3; i += 1) {
      statuses.push((await api.request('POST', '/api/samples', { key: randomUUID() })).status);
    }
    expect(statuses).toEqual([401, 401, 429]);
  });

  it('count tries of a secret apart', async () => {
    await restart({ limits: { login: 1 } });
    const enter = () => api.request('POST', '/api/samples/enter', { body: { word: 'open' } });
    expect([(await enter()).status, (await enter()).status]).toEqual([200, 429]);
    expect((await api.request('POST', `/api/samples/${id}/open`, admin)).status).toBe(200);
  });
});

describe('strangers', () => {
  it('read so much a minute and no more, which costs nobody who is logged in', async () => {
    await restart({ limits: { stranger: 3 } });
    const get = async (path: string, sent = {}) => (await api.request('GET', path, sent)).status;
    expect(await get('/nothing')).toBe(404);
    expect(await get('/api/samples')).toBe(401);
    expect(await get('/api/samples', { key: 'invented' })).toBe(401);
    expect([await get('/api/samples'), await get('/nothing'), await get('/ca.crt')]).toEqual([429, 429, 429]);
    expect(await get('/api/samples', admin)).toBe(200);
    nowMs = 20_000;
    expect(await get('/ca.crt')).toBe(200);
  });

  it('are logged one by one no longer where they are a flood', async () => {
    await restart({ limits: { stranger: 1 } });
    for (let i = 0; i < 320; i += 1) await api.request('GET', '/nothing');
    await api.request('GET', '/api/samples', admin);
    expect(api.log).toHaveLength(301);
    nowMs = 60_000;
    for (let i = 0; i < 301; i += 1) await api.request('GET', '/nothing');
    expect(api.log.filter(({ msg }) => String(msg).includes('not logged one by one'))).toMatchObject([{ count: 21 }]);
  });
});

describe('streams', () => {
  it('are sent as they come and end for the handler when the client goes', async () => {
    const aborted = Promise.withResolvers<void>();
    async function* stream(signal: AbortSignal) {
      yield 'id: 1\ndata: one\n\n';
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      aborted.resolve();
    }
    await restart({ routes: sampleRoutes({ stream }) });
    const client = connectH2(`https://localhost:${api.port}`, { ca: api.ca });
    const call = client.request({ ':path': '/api/samples/stream', 'x-api-key': 'key:Admin' });
    const [head, first] = await Promise.all([
      new Promise<Record<string, unknown>>((resolve) => call.once('response', resolve)),
      new Promise<Buffer>((resolve) => call.once('data', resolve)),
    ]);
    expect(head).toMatchObject({
      ':status': 200,
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(first.toString()).toBe('id: 1\ndata: one\n\n');
    call.close();
    await aborted.promise;
    client.close();
  });

  const demoted = roleAuthenticator.authenticate({ address: '127.0.0.1', session_cookie: 'session-Guest' });
  it.each([
    ['session or key has ended', null],
    ['role has lost the permission', demoted],
  ])('end with the next event once the %s, which is not sent', async (_why, afterwards) => {
    const { promise: next, resolve: goOn } = Promise.withResolvers<void>();
    async function* stream() {
      yield 'data: one\n\n';
      await next;
      for (;;) yield 'data: secret\n\n';
    }
    let now = roleAuthenticator.authenticate({ address: '127.0.0.1', session_cookie: 'session-Kiosk' });
    const authenticator: Authenticator = { authenticate: () => now };
    await restart({ routes: sampleRoutes({ stream, streamAccess: 'view_stats' }), authenticator });
    const client = connectH2(`https://localhost:${api.port}`, { ca: api.ca });
    const call = client.request({ ':path': '/api/samples/stream', cookie: `${sessionCookieName}=session-Kiosk` });
    let received = '';
    call.on('data', (chunk: Buffer) => (received += chunk.toString()));
    await new Promise((resolve) => call.once('data', resolve));
    now = afterwards;
    goOn();
    await new Promise((resolve) => call.once('end', resolve));
    expect(received).toBe('data: one\n\n');
    client.close();
  });

  it('wait for a client that reads slowly', async () => {
    let made = 0;
    async function* stream() {
      for (; made < 500; made += 1) yield 'x'.repeat(64 * 1024);
    }
    await restart({ routes: sampleRoutes({ stream }) });
    const client = connectH2(`https://localhost:${api.port}`, { ca: api.ca });
    const call = client.request({ ':path': '/api/samples/stream', 'x-api-key': 'key:Admin' });
    await new Promise((resolve) => call.once('response', resolve));
    // Nothing is read yet: what is made stops at what the buffers on the way hold.
    let before = -1;
    while (before !== made) {
      before = made;
      for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(made).toBeLessThan(100);
    let length = 0;
    call.on('data', (chunk: Buffer) => (length += chunk.length));
    await new Promise((resolve) => call.once('end', resolve));
    expect(length).toBe(500 * 64 * 1024);
    client.close();
  });
});

describe('HTTP/2', () => {
  it('answers and refuses as HTTP/1.1 does', async () => {
    const client = connectH2(`https://localhost:${api.port}`, { ca: api.ca });
    const ask = async (headers: Record<string, string>, body?: string) => {
      const call = client.request({ accept: mediaType, 'x-api-key': 'key:Admin', ...headers });
      call.end(body);
      let text = '';
      call.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      await new Promise((resolve) => call.once('end', resolve));
      return JSON.parse(text) as Record<string, unknown>;
    };
    expect(client.alpnProtocol ?? 'h2').toBe('h2');
    expect(await ask({ ':path': '/api/samples' })).toEqual({ ok: true });
    const post = { ':path': '/api/samples', ':method': 'POST', 'content-type': 'application/json' };
    expect(await ask(post, '{"envelope":{"length_m":4}}')).toEqual({ envelope: { length_m: 4 } });
    expect(await ask(post, 'x'.repeat(300_000))).toMatchObject({ code: 'payload_too_large' });
    const refused = await ask({ ...post, 'x-api-key': '' }, 'x'.repeat(300_000));
    expect(refused).toMatchObject({ code: 'authentication_required' });
    const byCookie = { cookie: '__Host-orangery=session-Admin', 'x-csrf-token': testCsrfToken, 'x-api-key': '' };
    const origin = `https://localhost:${api.port}`;
    expect(await ask({ ...post, ...byCookie, origin }, '{"envelope":{"length_m":4}}')).toEqual({
      envelope: { length_m: 4 },
    });
    expect(await ask({ ':path': '/api/samples' })).toEqual({ ok: true });
    client.close();
  });
});

describe('the request log', () => {
  it('tells method, path, status, time and user, and no query', async () => {
    await api.request('GET', '/api/samples/typed?name=private', admin);
    expect(api.log.at(-1)).toMatchObject({
      method: 'GET',
      path: '/api/samples/typed',
      status: 200,
      user: 'admin',
      ms: expect.any(Number) as number,
      request_id: expect.any(String) as string,
    });
    expect(JSON.stringify(api.log)).not.toContain('private');
  });
});
