import { connect, type ClientHttp2Session } from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import { mediaType } from '../../server/contract/endpoint.ts';

/** The service, and a key of one of its users. */
export interface HttpTarget {
  url: string;
  ca: string;
  key: string;
}

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
      await ended(session(target));
      await pause(100);
    }
  };
  for (let at = 0; at < connections; at += 1) void one();
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
      const on = session(target, window);
      const asking = Array.from({ length: streams }, async () => {
        while (!on.destroyed) await stream(on);
      });
      await Promise.race([ended(on), Promise.all(asking)]);
      on.destroy();
      await pause(100);
    }
  };
  for (let at = 0; at < connections; at += 1) void one();
}
