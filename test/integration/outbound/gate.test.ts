import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Policy } from '../../../server/outbound/address-policy.ts';
import { Gate, type Question, type Upstream } from '../../../server/outbound/gate.ts';
import { Outbound } from '../../../server/outbound/outbound.ts';
import { serve, startUpstream, upstreamOutbound, type Answering } from '../../support/upstream.ts';

const json = { path: '/data', types: ['application/json'] };
const page = (body: string, type = 'application/json') => serve({ '/data': { type, body } });

async function site(answer: Answering, options: { timeoutMs?: number } & Partial<Upstream> = {}) {
  const { timeoutMs, ...about } = options;
  const provider = await startUpstream(answer);
  let now = 0;
  const warned: string[] = [];
  const gate = new Gate({
    outbound: upstreamOutbound(),
    log: { warn: (message) => void warned.push(message) },
    now_ms: () => now,
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  const upstream: Upstream = { id: 'a', origin: provider.origin, policy: 'public', perMinute: 600, ...about };
  const ask = (question: Partial<Question> = {}) => gate.ask(upstream, { ...json, ...question });
  return { provider, ask, gate, upstream, warned, later: (ms: number) => (now += ms) };
}

/** The codes of so many requests, `ok` for an answer. */
async function codes(ask: () => Promise<unknown>, count: number): Promise<string[]> {
  const told: string[] = [];
  for (let index = 0; index < count; index += 1) {
    told.push(await ask().then(() => 'ok', (error: { code: string }) => error.code)); // prettier-ignore
  }
  return told;
}

describe('an upstream', () => {
  it('is asked at its origin with its credentials, which are in no error', async () => {
    const { ask, provider } = await site(page('{"t":1}'));
    const credentials = { query: { appid: 'k3y&secret' }, headers: { authorization: 'Basic c2VjcmV0' } };
    let sent: string | undefined;
    provider.answer = (request, response) => {
      sent = request.headers.authorization;
      page('{"t":1}')(request, response);
    };
    expect((await ask({ path: '/data?a=1', credentials })).body.toString()).toBe('{"t":1}');
    expect([provider.asked, sent]).toEqual([['/data?a=1&appid=k3y%26secret'], 'Basic c2VjcmV0']);
    provider.answer = (_, response) => void response.writeHead(500).end();
    const error: unknown = await ask({ credentials }).catch((thrown: unknown) => thrown);
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toMatch(/k3y|c2VjcmV0/);
  });

  it('that answers with the key is not believed', async () => {
    const { ask } = await site(page('{"echo":"k3y-secret"}'));
    const credentials = { query: { appid: 'k3y-secret' } };
    await expect(ask({ credentials })).rejects.toMatchObject({ code: 'wrong_answer' });
  });

  it.each([
    [200, 'text/html', 'wrong_answer'],
    [401, 'application/json', 'key_refused'],
    [403, 'text/html', 'key_refused'],
    [400, 'application/json', 'refused'],
    [404, 'application/json', 'absent'],
    [410, 'text/html', 'absent'],
    [429, 'application/json', 'quota_spent'],
    [204, 'application/json', 'absent'],
    [503, 'text/html', 'failed'],
  ])('with %i %s is told as such', async (status, type, code) => {
    const { ask } = await site((_, response) => void response.writeHead(status, { 'content-type': type }).end());
    await expect(ask()).rejects.toMatchObject({ code });
  });

  it('that says half of it, too much or nothing is told as such', async () => {
    const { ask, provider } = await site((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"a":');
      setTimeout(() => response.destroy(), 5);
    });
    await expect(ask()).rejects.toMatchObject({ code: 'interrupted' });
    provider.answer = page('x'.repeat(5_000));
    await expect(ask({ maxBytes: 1_000 })).rejects.toMatchObject({ code: 'too_large' });
    const silent = await site(() => undefined, { timeoutMs: 60 });
    await expect(silent.ask()).rejects.toMatchObject({ code: 'timed_out' });
    const patient = await site(() => undefined);
    await expect(patient.ask({ limitMs: 60 })).rejects.toMatchObject({ code: 'timed_out' });
  });

  it('may redirect twice, and gets its credentials only at home', async () => {
    const away = await startUpstream((request, response) => {
      if (request.headers.authorization !== undefined || request.url?.includes('appid')) response.writeHead(500).end();
      else page('{}')(request, response);
    });
    const { ask, provider } = await site((request, response) => {
      const hop = Number(new URL(request.url ?? '', 'https://a').searchParams.get('hop'));
      const location = hop > 0 ? `/data?hop=${hop - 1}` : `${away.origin}/data`;
      response.writeHead(302, { location }).end();
    });
    const credentials = { query: { appid: 'key-of-it' }, headers: { authorization: 'Basic eHg=' } };
    expect((await ask({ path: '/data?hop=1', credentials })).status).toBe(200);
    expect(away.asked).toEqual(['/data']);
    await expect(ask({ path: '/data?hop=2' })).rejects.toMatchObject({ code: 'wrong_answer' });
    expect([provider.asked.length, away.asked.length]).toEqual([5, 1]);
  });

  it('of the farm may redirect within itself alone', async () => {
    const away = await startUpstream(page('{}'));
    const { ask, provider } = await site(
      (_, response) => void response.writeHead(302, { location: `${away.origin}/data` }).end(),
      { policy: 'lan' },
    );
    await expect(ask()).rejects.toMatchObject({ code: 'wrong_answer' });
    provider.answer = (request, response) =>
      request.url === '/data'
        ? void response.writeHead(301, { location: '/data?b' }).end()
        : page('{}')(request, response);
    expect([(await ask()).status, away.asked]).toEqual([200, []]);
  });

  it('is asked no oftener than it may be', async () => {
    const { ask, provider, later } = await site(page('{}'), { perMinute: 60, atOnce: 2 });
    expect(await codes(ask, 3)).toEqual(['ok', 'ok', 'paused']);
    later(1_000);
    expect(await codes(ask, 2)).toEqual(['ok', 'paused']);
    expect(provider.asked).toHaveLength(3);
  });

  it('that fails five times in a row is left alone, then tried by one request', async () => {
    const { ask, provider, later } = await site((_, response) => void response.writeHead(500).end());
    expect(await codes(ask, 7)).toEqual([...Array<string>(5).fill('failed'), 'paused', 'paused']);
    later(10_000);
    expect(await codes(ask, 2)).toEqual(['failed', 'paused']);
    later(10_000); // the pause has doubled
    expect(await codes(ask, 1)).toEqual(['paused']);
    provider.answer = page('{}');
    later(10_000);
    expect(await codes(ask, 3)).toEqual(['ok', 'ok', 'ok']);
  });

  it('that refuses a question is not taken for broken', async () => {
    const { ask } = await site((_, response) => void response.writeHead(404).end());
    expect(new Set(await codes(ask, 8))).toEqual(new Set(['absent']));
  });

  it('that moved starts anew', async () => {
    const { ask, gate, upstream } = await site((_, response) => void response.writeHead(500).end());
    await codes(ask, 6);
    const moved = await startUpstream(page('{}'));
    expect((await gate.ask({ ...upstream, origin: moved.origin }, json)).status).toBe(200);
  });
});

/** What must not be reached by any policy, as it can be written. */
const loopbackForms = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  '0177.0.0.1',
  '127.0.0.1.',
  '0',
  '0.0.0.0',
  '127.255.255.254',
  '①②⑦.0.0.1',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::ffff:0:7f00:1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[0000::0001]',
];
const metadataForms = [
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '169.254.170.2',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '[fd00:ec2::254]',
  '[fd20:ce::254]',
  '[fe80::1]',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[64:ff9b::a9fe:a9fe]',
  '[2002:a9fe:a9fe::]',
  '[fec0::1]',
];
const otherForms = [
  '224.0.0.1',
  '239.255.255.250',
  '255.255.255.255',
  '240.0.0.1',
  '[ff02::1]',
  '198.18.0.1',
  '192.0.2.1',
];
/** What only servers that an administrator entered may be. */
const localForms = [
  '10.0.0.1',
  '10.255.255.255',
  '167772161',
  '0xa000001',
  '012.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '3232235521',
  '0xc0a80001',
  '100.64.0.1',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:c0a8:1]',
  '[64:ff9b::c0a8:1]',
  '[2002:c0a8:1::]',
];
const never = [...loopbackForms, ...metadataForms, ...otherForms];

/** Paths and queries that would leave the origin, or say more than a path may. */
const leavingPaths = [
  ...[
    '//127.0.0.1/',
    '///127.0.0.1/',
    '/\\127.0.0.1/',
    '\\\\127.0.0.1\\',
    '\\/127.0.0.1',
    '/\t/127.0.0.1/',
    '@127.0.0.1/',
  ],
  ...[':80@127.0.0.1/', '.127.0.0.1/', 'https://127.0.0.1/', 'http://127.0.0.1/', 'file:///etc/passwd', '', ' /data'],
  '/data\r\nHost: 127.0.0.1',
  '/data HTTP/1.1\r\nX: y',
  '/da\u0000ta',
  '/da\nta',
  '/data\u007f',
  '\u0009/data',
  'data',
  ...['gopher://127.0.0.1/', 'javascript:alert(1)', 'data:,x', '?@127.0.0.1', '#@127.0.0.1'],
];
/** Origins that are none. */
const oddOrigins = [
  ...[
    'http://tiles.example',
    'ftp://tiles.example',
    'file://',
    'gopher://tiles.example',
    'ws://tiles.example',
    'data:',
  ],
  ...[
    'https://user@tiles.example',
    'https://user:pass@tiles.example',
    'https://tiles.example/',
    'https://tiles.example/x',
  ],
  ...[
    'https://tiles.example?x',
    'https://tiles.example#x',
    'https://tiles.example:443',
    'https://TILES.example',
    'https://',
  ],
  ...['https://tiles.example\\@127.0.0.1', 'https://tiles.example\r\nX: y', '//tiles.example', '', 'tiles.example'],
];

interface Vector {
  name: string;
  upstream: Upstream;
  path?: string;
  /** What a name resolves to. */
  at?: string;
}

const to = (origin: string, policy: Policy = 'public'): Upstream => ({ id: origin, origin, policy, perMinute: 600 });
const canonical = (host: string, port: number, scheme = 'https'): string =>
  URL.parse(`${scheme}://${host}:${port}`)?.origin ?? `${scheme}://${host}:${port}`;
const bare = (host: string, port: number): string =>
  URL.parse(canonical(host, port))?.hostname.replace(/^\[|\]$/g, '') ?? host;

function vectorsTo(port: number): Vector[] {
  const allowed = to('https://tiles.example');
  return [
    ...never.map((host) => ({ name: `as written ${host}`, upstream: to(`https://${host}:${port}`) })),
    ...never.map((host) => ({ name: `public ${host}`, upstream: to(canonical(host, port)) })),
    ...never.map((host) => ({ name: `lan ${host}`, upstream: to(canonical(host, port, 'http'), 'lan') })),
    ...never.map((host) => ({ name: `name at ${host}`, upstream: allowed, at: bare(host, port) })),
    ...localForms.map((host) => ({ name: `public ${host}`, upstream: to(canonical(host, port)) })),
    ...localForms.map((host) => ({ name: `name at ${host}`, upstream: allowed, at: bare(host, port) })),
    ...leavingPaths.map((path) => ({ name: `path ${JSON.stringify(path)}`, upstream: allowed, path })),
    ...oddOrigins.map((origin) => ({ name: `origin ${JSON.stringify(origin)}`, upstream: to(origin) })),
  ];
}

it('an outage is one line of the log, and the next one another', async () => {
  const { ask, provider, warned, later } = await site(page('{}'));
  for (let outage = 0; outage < 2; outage += 1) {
    provider.answer = (_, response) => void response.writeHead(500).end();
    await codes(ask, 3);
    provider.answer = page('{}');
    await codes(ask, 1);
    later(600_000);
  }
  provider.answer = (_, response) => void response.writeHead(404).end();
  await codes(ask, 1);
  const line = 'the outside service a gave no usable answer (failed): it answered 500';
  expect(warned).toEqual([line, line]);
});

it('a service that refuses some of its tiles is one line of the log, however many are asked for', async () => {
  const { ask, provider, warned, later } = await site(page('{}'));
  for (let minute = 0; minute < 30; minute += 1) {
    provider.answer = (_, response) => void response.writeHead(403).end();
    await codes(ask, 1);
    provider.answer = page('{}');
    await codes(ask, 1);
    later(60_000);
  }
  expect(warned).toEqual(['the outside service a gave no usable answer (key_refused): it answered 403']);
});

describe('no request', () => {
  it('reaches what it may not, however the address is written', async () => {
    let reached = 0;
    const canary = createServer((_, response) => void (reached += 1, response.end('{}'))); // prettier-ignore
    canary.on('connection', () => (reached += 1));
    canary.listen(0);
    await once(canary, 'listening');
    onTestFinished(() => void canary.close());
    const { port } = canary.address() as AddressInfo; // it listens on TCP
    const vectors = vectorsTo(port);
    const through: string[] = [];
    for (const { name, upstream, path = '/data', at = '127.0.0.1' } of vectors) {
      const outbound = new Outbound({ resolve: async () => [at], connectTimeoutMs: 200 });
      const asked = new Gate({ outbound, timeoutMs: 400 }).ask(upstream, { path, types: ['application/json'] });
      const code = await asked.then(() => 'ok', (error: { code?: string }) => error.code); // prettier-ignore
      const isWrittenWrong = name.startsWith('path') || name.startsWith('origin');
      const isRefused = code === 'invalid_address' || (code === 'refused_address' && !isWrittenWrong);
      if (!isRefused) through.push(`${name}: ${code}`);
      await outbound.close();
    }
    expect(through).toEqual([]);
    expect(vectors.length).toBeGreaterThanOrEqual(200);
    expect(reached).toBe(0);
  });

  it.each([...metadataForms, ...otherForms, ...localForms])('is led by a redirect to %s', async (host) => {
    const { ask, provider } = await site(
      (_, response) => void response.writeHead(302, { location: `https://${host}/data` }).end(),
    );
    await expect(ask()).rejects.toMatchObject({ code: 'refused_address' });
    expect(provider.asked).toEqual(['/data']);
  });

  it.each(['http://localhost/data', 'file:///etc/passwd', 'https://u:p@localhost/', 'gopher://x', 'https://', '%'])(
    'is led by a redirect to %s',
    async (location) => {
      const { ask, provider } = await site((request, response) =>
        request.url === '/data' ? void response.writeHead(302, { location }).end() : response.writeHead(500).end(),
      );
      const codeOf = ask().then(() => 'ok', (error: { code: string }) => error.code); // prettier-ignore
      expect(['invalid_address', 'wrong_answer', 'failed']).toContain(await codeOf);
      expect(provider.asked.filter((path) => path !== '/data' && path !== '/%')).toEqual([]);
    },
  );

  it('goes to another address than the one that was checked', async () => {
    const { upstream } = await site(page('{}'));
    const answers = [['127.0.0.1'], ['169.254.169.254']];
    let asked = 0;
    const resolve = async () => answers[(asked += 1) - 1] ?? [];
    const outbound = new Outbound({ allowLoopback: true, resolve, keepAlive: false });
    onTestFinished(() => outbound.close());
    const gate = new Gate({ outbound });
    await expect(gate.ask(upstream, json)).rejects.toMatchObject({ code: 'unreachable' }); // no trust in this outbound
    expect(asked).toBe(1);
    await expect(gate.ask(upstream, json)).rejects.toMatchObject({ code: 'refused_address' });
  });
});
