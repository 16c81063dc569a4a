import { connect as connectH2, type ClientHttp2Session } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { defineRoute } from '../../../server/api/route.ts';
import { mediaType } from '../../../server/contract/endpoint.ts';
import { safetyEndpoints } from '../../../server/contract/safety.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { sampleRoutes } from '../../support/sample-routes.ts';

async function start(): Promise<TestApi> {
  const stopped = { active: true, since: null, by: null, reason: null, outputs: [] };
  const stop = defineRoute(safetyEndpoints.stopAll, () => stopped);
  const api = await startTestApi({ routes: [...sampleRoutes(), stop], limits: { stranger: 1, change: 1 } });
  onTestFinished(() => api.close());
  return api;
}

interface Flood {
  client: ClientHttp2Session;
  statuses: number[];
  /** Requests that ended, told or cut. */
  ended: () => number;
}

/** Sends so many requests at once on a connection. */
function flood(api: TestApi, count: number, headers: Record<string, string>): Flood {
  const client = connectH2(`https://localhost:${api.port}`, { ca: api.ca });
  onTestFinished(() => client.destroy());
  client.on('error', () => undefined);
  const statuses: number[] = [];
  let ended = 0;
  for (let i = 0; i < count; i += 1) {
    const call = client.request({ ':path': '/api/samples', accept: mediaType, ...headers });
    call.on('error', () => undefined).once('response', (answer) => statuses.push(Number(answer[':status'])));
    call.once('close', () => (ended += 1)).resume();
    call.end();
  }
  return { client, statuses, ended: () => ended };
}

function stopOn(client: ClientHttp2Session): Promise<number> {
  const call = client.request({
    ':path': '/api/emergency_stop',
    ':method': 'POST',
    accept: mediaType,
    'x-api-key': 'key:Admin',
    'content-type': 'application/json',
  });
  call.end('{}');
  return new Promise((resolve, reject) => {
    call.once('response', (answer) => resolve(Number(answer[':status']))).once('error', reject);
  });
}

it.each([
  ['without a login', {}],
  ['with a key', { ':method': 'POST', 'x-api-key': 'key:Admin', 'content-type': 'application/json' }],
])('a program %s that asks on after its limit is told so at a pace, and holds up nobody', async (_who, headers) => {
  const api = await start();
  const { client, statuses, ended } = flood(api, 95, headers);
  await expect.poll(() => statuses.length).toBeGreaterThan(20);
  expect((await api.request('GET', '/api/samples', { key: 'key:Admin' })).status).toBe(200);
  expect(await stopOn(client)).toBe(200);
  await expect.poll(ended).toBe(95);
  const refusals = statuses.filter((status) => status === 429).length;
  expect(refusals).toBeGreaterThanOrEqual(50);
  expect(refusals).toBeLessThanOrEqual(94);
});

it('handshakes that come all at once are taken in at a pace, and all are', async () => {
  const api = await start();
  let secured = 0;
  const begun = performance.now();
  const made = Array.from({ length: 130 }, () => {
    const socket = connectTls({ port: api.port, host: 'localhost', ca: api.ca }, () => (secured += 1));
    onTestFinished(() => void socket.destroy());
    return socket.on('error', () => undefined);
  });
  await expect.poll(() => secured).toBe(made.length);
  // 100 at once, then 100 a second.
  expect(performance.now() - begun).toBeGreaterThan(250);
});
