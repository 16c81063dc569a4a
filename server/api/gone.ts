import { Http2ServerResponse } from 'node:http2';
import type { ServerResponse } from 'node:http';

/** Whether the client has gone or has its whole answer. An HTTP/2 response does not say so itself: its stream does. */
function isGone(response: ServerResponse): boolean {
  const either: unknown = response;
  return either instanceof Http2ServerResponse ? either.stream.destroyed : response.destroyed;
}

/** Calls the listener once the client has gone or has its answer; at once if it already has. */
export function onceGone(response: ServerResponse, listener: () => void): void {
  if (isGone(response)) listener();
  else response.once('close', listener);
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
