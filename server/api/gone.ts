import { Http2ServerResponse } from 'node:http2';
import type { ServerResponse } from 'node:http';

/** Whether the client has gone or has its whole answer. An HTTP/2 response does not say so itself: its stream does. */
function isGone(response: ServerResponse): boolean {
  const either: unknown = response;
  return either instanceof Http2ServerResponse ? either.stream.destroyed : response.destroyed;
}

/** Who waits for the end of a response. Each as a listener of its own, they would look like a leak to Node. */
const waiting = new WeakMap<ServerResponse, (() => void)[]>();

/** Calls the listener once the client has gone or has its answer; at once if it already has. */
export function onceGone(response: ServerResponse, listener: () => void): void {
  if (isGone(response)) return listener();
  const others = waiting.get(response);
  if (others !== undefined) return void others.push(listener);
  const listeners = [listener];
  waiting.set(response, listeners);
  response.once('close', () => {
    for (const one of listeners) one();
  });
}

/** Resolves after the pause, or once the client has gone. */
export function pauseUnlessGone(response: ServerResponse, pauseMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, pauseMs);
    onceGone(response, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
