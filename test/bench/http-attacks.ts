import { connect, type ClientHttp2Session } from 'node:http2';
import { Agent, request } from 'node:https';
import { networkInterfaces } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { mediaType } from '../../server/contract/endpoint.ts';

/** The service, a key of one of its users, and a channel of which samples are taken. */
export interface HttpTarget {
  url: string;
  ca: string;
  key: string;
  channel: { device_id: string; measurement_id: string };
}

/** Lets so many through a second, those who wait in their order. */
class Pace {
  readonly #everyMs: number;
  #next = 0;

  constructor(perSecond: number) {
    this.#everyMs = 1_000 / perSecond;
  }

  async turn(): Promise<void> {
    const now = performance.now();
    this.#next = Math.max(this.#next + this.#everyMs, now);
    if (this.#next > now) await pause(this.#next - now);
  }
}

/**
 * What one hostile program sends at most, all its connections together. It is more than the server lets anybody have,
 * and little enough that the program does not take a core of its own from the honest client, whose times are the
 * figures.
 */
export const requestPace = new Pace(1_000); // requests a second
const connectionPace = new Pace(100); // connections a second, each with a TLS handshake

function session({ url, ca }: HttpTarget, window?: number): ClientHttp2Session {
  const made = connect(url, { ca, ...(window !== undefined && { settings: { initialWindowSize: window } }) });
  return made.on('error', () => undefined);
}

function ended(one: ClientHttp2Session): Promise<void> {
  return new Promise((resolve) => one.once('close', resolve));
}

function headersTo(path: string, key?: string): Record<string, string> {
  return { ':path': path, accept: mediaType, ...(key !== undefined && { 'x-api-key': key }) };
}

/** Keeps connections that never ask for anything. */
export function standAround(target: HttpTarget, connections: number): void {
  const one = async (): Promise<never> => {
    for (;;) {
      await connectionPace.turn();
      await ended(session(target));
      await pause(100);
    }
  };
  for (let at = 0; at < connections; at += 1) void one();
}

/** Makes connections, up to the TLS handshake, and drops each at once. */
export async function reconnect(target: HttpTarget): Promise<never> {
  for (;;) {
    await connectionPace.turn();
    const made = session(target).once('connect', () => made.destroy());
  }
}

/**
 * The service as another machine of the network reaches it, by an address that is not loopback; by loopback where there
 * is none.
 */
export function fromNetwork<Target extends HttpTarget>(target: Target): Target {
  const [address] = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal);
  if (address === undefined) return target;
  const url = new URL(target.url);
  url.hostname = address.address;
  return { ...target, url: url.origin };
}

/** Asks again and again on each of so many connections, and takes nothing of an answer where the window is 0. */
export function ask(
  target: HttpTarget,
  {
    path,
    key,
    connections,
    streams,
    window,
  }: {
    path: string;
    key?: string;
    connections: number;
    streams: number;
    window?: number;
  },
): void {
  const stream = (on: ClientHttp2Session): Promise<void> =>
    new Promise((resolve) => {
      const asked = on.request(headersTo(path, key)).on('error', () => undefined);
      asked.once('close', resolve);
      asked.resume();
    });
  const one = async (): Promise<never> => {
    for (;;) {
      await connectionPace.turn();
      const on = session(target, window);
      const asking = Array.from({ length: streams }, async () => {
        while (!on.destroyed) {
          await requestPace.turn();
          if (!on.destroyed) await stream(on);
        }
      });
      await Promise.race([ended(on), Promise.all(asking)]);
      on.destroy();
      await pause(100);
    }
  };
  for (let at = 0; at < connections; at += 1) void one();
}

/**
 * Adds samples over so many connections, each as soon as the one before it is stored. Calls `stored` with how long one
 * took, ms.
 */
export function addSamples(
  target: HttpTarget,
  { clients, stored }: { clients: number; stored?: (tookMs: number) => void },
): void {
  const { url, ca, key, channel } = target;
  const headers = { accept: mediaType, 'content-type': 'application/json', 'x-api-key': key };
  const begunMs = Date.now();
  let made = 0;
  const add = (agent: Agent): Promise<void> =>
    new Promise((resolve) => {
      const from = performance.now();
      const asked = request(new URL('/api/measurements/create', url), { agent, method: 'POST', ca, headers });
      asked.once('response', (response) => {
        if (response.statusCode === 201) stored?.(performance.now() - from);
        response.resume().once('close', resolve);
      });
      asked.once('error', () => resolve());
      const time = new Date(begunMs - 3_600_000 + (made += 1)).toISOString();
      asked.end(JSON.stringify({ ...channel, value: 20, time }));
    });
  const one = async (): Promise<never> => {
    await connectionPace.turn();
    const agent = new Agent({ ca, keepAlive: true, maxSockets: 1 });
    for (;;) {
      await requestPace.turn();
      await add(agent);
    }
  };
  for (let at = 0; at < clients; at += 1) void one();
}
