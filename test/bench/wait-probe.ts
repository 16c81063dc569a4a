import { Agent, request } from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, Worker, workerData } from 'node:worker_threads';

interface Probed {
  url: string;
  ca: string;
}

const betweenMs = 2;

/** In a thread of its own, so that what the bench itself parses delays no clock. */
if (parentPort !== null) {
  const port = parentPort;
  const { url, ca } = workerData as Probed; // given by longestWait
  const agent = new Agent({ ca, keepAlive: true });
  let isAsked = true;
  port.once('message', () => (isAsked = false));
  let longest_ms = 0;
  await answered(url, agent); // the handshake counts for nobody
  port.postMessage('ready');
  while (isAsked) {
    const from = performance.now();
    await answered(url, agent);
    longest_ms = Math.max(longest_ms, performance.now() - from);
    await delay(betweenMs);
  }
  port.postMessage(longest_ms);
  agent.destroy();
}

function answered(url: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/api/health`, { agent }, (response) => response.resume().once('end', resolve));
    sent.once('error', reject).end();
  });
}

/** The longest that a small request took while the work was done, in ms: how long the server's own thread was held. */
export async function longestWait(probed: Probed, work: () => Promise<unknown>): Promise<number> {
  const worker = new Worker(new URL(import.meta.url), { workerData: probed });
  const message = (): Promise<unknown> => new Promise((resolve) => worker.once('message', resolve));
  await message();
  await work();
  const last = message();
  worker.postMessage('stop');
  const longest_ms = Number(await last);
  await worker.terminate();
  return Math.round(longest_ms);
}
