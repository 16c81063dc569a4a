import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { Refusal } from '../contract/errors.ts';
import { problemBody, problemType } from './problem-body.ts';

/** Time for the sender to read the answer before the connection is cut. */
const lingerMs = 1000;

/** Tells plain-HTTP clients to use HTTPS, and closes. Processes nothing of what they sent. */
export function refusePlainHttp(socket: Socket): void {
  const refusal = new Refusal('https_required', 'this port speaks HTTPS only: use https://');
  const body = JSON.stringify(problemBody(refusal, randomUUID()));
  const head = [
    'HTTP/1.1 400 Bad Request',
    `Content-Type: ${problemType}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // What still arrives is discarded: closing over unread data resets the connection, and the answer with it.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}
