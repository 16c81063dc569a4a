import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { mediaType } from '../../server/contract/endpoint.ts';

/** A request that is asked again and again; `turn` in its body is replaced by a number that is another each time. */
export interface Probe {
  method: string;
  path: string;
  body?: object;
}

interface Probed {
  url: string;
  ca: string;
  key: string;
  probes: readonly Probe[];
}

/** A write is made less often, for one key may change so much a second. */
const betweenMs = { read: 2, write: 25 };
const health: Probe = { method: 'GET', path: '/api/health' };

/** In a thread of its own, so that what the bench itself parses delays no clock. */
if (parentPort !== null) {
  const port = parentPort;
  const probed = workerData as Probed; // given by waits
  const agent = new Agent({ ca: probed.ca, keepAlive: true });
  let isAsked = true;
  port.once('message', () => (isAsked = false));
  const times: number[] = [];
  await answered(probed, health, agent); // the handshake counts for nobody
  port.postMessage('ready');
  for (let turn = 0; isAsked; turn += 1) {
    const probe = probed.probes[turn % probed.probes.length] ?? health;
    const from = performance.now();
    await answered(probed, probe, agent, turn);
    times.push(performance.now() - from);
    await delay(probe.body === undefined ? betweenMs.read : betweenMs.write);
  }
  port.postMessage(times);
  agent.destroy();
}

function answered({ url, key }: Probed, { method, path, body }: Probe, agent: Agent, turn?: number): Promise<void> {
  const headers = { accept: mediaType, ...(body && { 'x-api-key': key, 'content-type': 'application/json' }) };
  const text = body && JSON.stringify(body).replaceAll('"turn"', `"${turn}"`);
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${path}`, { agent, method, headers }, (response) => {
      const { statusCode = 0 } = response;
      let answer = '';
      response.setEncoding('utf8').on('data', (part: string) => (answer += part));
      response.once('end', () => {
        if (body !== undefined && statusCode >= 400) reject(new Error(`${method} ${path}: ${statusCode} ${answer}`));
        else resolve();
      });
    });
    sent.once('error', reject).end(text);
  });
}

/** How long each of some small requests took that were asked in turn while the work was done, ms. */
export async function waits(probed: Omit<Probed, 'probes'>, probes: readonly Probe[], work: () => Promise<unknown>) {
  const { url, ca, key } = probed;
  const worker = new Worker(new URL(import.meta.url), { workerData: { url, ca, key, probes } satisfies Probed });
  await once(worker, 'message'); // throws where the worker ends with an error
  const last = once(worker, 'message');
  await work();
  worker.postMessage('stop');
  const [times] = (await last) as [number[]]; // what it posts at its end
  await worker.terminate();
  return times;
}

/** The longest that a small request took while the work was done, in ms: how long the server's own thread was held. */
export async function longestWait(probed: Omit<Probed, 'probes'>, work: () => Promise<unknown>): Promise<number> {
  return Math.round(Math.max(...(await waits(probed, [health], work))));
}
