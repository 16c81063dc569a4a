import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { percentile } from './figure.ts';

export interface TileTarget {
  url: string;
  ca: string;
  /** One connection each, as many browsers would have. */
  keys: readonly string[];
  bodyBytes: number;
}

export interface Load {
  per_s: number;
  p50_ms: number;
  p99_ms: number;
}

/** Of a connection, an answer that it waits for. */
interface Asked {
  missingBytes: number;
  at: number;
}

const headEnd = Buffer.from('\r\n\r\n');

/**
 * Asks for a tile over TLS for so long, each connection for the next one when it has the last: no more than a browser
 * does, and little enough that it is not the client that is measured. With a rate, so many a second are asked for
 * whether answers came or not: a late one counts from when it was to be asked for.
 */
export async function load(target: TileTarget, duration_s: number, rate_per_s?: number): Promise<Load> {
  const times: number[] = [];
  const connections = await Promise.all(target.keys.map((key) => opened(target, key, times)));
  const from = performance.now();
  const until = from + duration_s * 1_000;
  if (rate_per_s === undefined) await Promise.all(connections.map((one) => one.askUntil(until)));
  else await offer(connections, { from, until, everyMs: 1_000 / rate_per_s });
  const took_s = (performance.now() - from) / 1_000;
  for (const { socket } of connections) socket.destroy();
  return { per_s: times.length / took_s, p50_ms: percentile(times, 50), p99_ms: percentile(times, 99) };
}

type Connection = Awaited<ReturnType<typeof opened>>;

async function offer(
  connections: readonly Connection[],
  { from, until, everyMs }: { from: number; until: number; everyMs: number },
): Promise<void> {
  const free = [...connections];
  const due: number[] = [];
  let [next, underWay] = [from, 0];
  const send = (): void => {
    while (due.length > 0 && free.length > 0) {
      const one = free.pop() as Connection; // of more than none
      underWay += 1;
      void one.ask(due.shift() ?? 0).then(() => {
        underWay -= 1;
        free.push(one);
        send();
      });
    }
  };
  while (performance.now() < until) {
    for (const now = performance.now(); next <= now; next += everyMs) due.push(next);
    send();
    await delay(1);
  }
  while (due.length > 0 || underWay > 0) await delay(1);
}

async function opened({ url, ca, bodyBytes }: TileTarget, key: string, times: number[]) {
  const { hostname, port, pathname, search } = new URL(url);
  const socket: TLSSocket = connect({ host: hostname, port: Number(port), ca, ALPNProtocols: ['http/1.1'] });
  await once(socket, 'secureConnect');
  socket.setNoDelay(true);
  const request = Buffer.from(
    `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-API-Key: ${key}\r\n\r\n`,
  );
  let asked: Asked | undefined;
  let resolve: () => void = () => undefined;
  socket.on('data', (chunk: Buffer) => {
    if (asked === undefined) throw new Error('an answer that nobody asked for');
    asked.missingBytes = asked.missingBytes < 0 ? bodyBytes - bodyOf(chunk) : asked.missingBytes - chunk.length;
    if (asked.missingBytes > 0) return;
    times.push(performance.now() - asked.at);
    asked = undefined;
    resolve();
  });
  const ask = (at: number): Promise<void> => {
    asked = { missingBytes: -1, at };
    socket.write(request);
    return new Promise((done) => (resolve = done));
  };
  return {
    socket,
    ask,
    askUntil: async (until: number): Promise<void> => {
      while (performance.now() < until) await ask(performance.now());
    },
  };
}

/** Bytes of the body in the first part of an answer, which has all its headers. */
function bodyOf(chunk: Buffer): number {
  const end = chunk.indexOf(headEnd);
  if (end < 0 || chunk.toString('latin1', 0, 12) !== 'HTTP/1.1 200') throw new Error(chunk.toString('latin1', 0, 500));
  return chunk.length - end - headEnd.length;
}
