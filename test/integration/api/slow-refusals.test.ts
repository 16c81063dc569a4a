import { connect as connectH2 } from 'node:http2';
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

/** Sends so many requests at once on a connection; gives the statuses that came so far. */
function flood(api: TestApi, count: number, headers: Record<string, string>): number[] {
  const client = connectH2(`https://localhost:${api.port}`, { ca: api.ca });
  onTestFinished(() => client.destroy());
  client.on('error', () => undefined);
  const statuses: number[] = [];
  for (let i = 0; i < count; i += 1) {
    const call = client.request({ ':path': '/api/samples', accept: mediaType, ...headers });
    call.on('error', () => undefined).once('response', (answer) => statuses.push(Number(answer[':status'])));
    call.end();
  }
  return statuses;
}

it.each([
  ['without a login', {}],
  ['with a key', { ':method': 'POST', 'x-api-key': 'key:Admin', 'content-type': 'application/json' }],
])('a program %s that asks on after its limit is told so at a pace, and holds up nobody', async (_who, headers) => {
  const api = await start();
  const statuses = flood(api, 95, headers);
  await expect.poll(() => statuses.length).toBeGreaterThan(20);
  expect((await api.request('GET', '/api/samples', { key: 'key:Admin' })).status).toBe(200);
  expect((await api.request('POST', '/api/emergency_stop', { body: {}, key: 'key:Admin' })).status).toBe(200);
  expect(statuses.length).toBeLessThan(95);
  await expect.poll(() => statuses.length, { timeout: 30_000 }).toBe(95);
  expect(statuses.filter((status) => status === 429).length).toBe(94);
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
  await expect.poll(() => secured, { timeout: 30_000 }).toBe(made.length);
  // 100 at once, then 100 a second.
  expect(performance.now() - begun).toBeGreaterThan(250);
});
