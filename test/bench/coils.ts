import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

export interface Coils {
  /** When writes arrived, on the clock of `performance`. */
  arrivals: number[];
  port: number;
  /** Resolves with the next write. */
  written(): Promise<void>;
  close(): void;
}

/** A Modbus device that takes every coil: tells when a write arrives. */
export async function startCoils(): Promise<Coils> {
  const arrivals: number[] = [];
  let heard: (() => void) | undefined;
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (request) => {
      const isWrite = request.readUInt8(7) === 5;
      if (isWrite) {
        arrivals.push(performance.now());
        heard?.();
      }
      socket.write(isWrite ? request : answerToRead(request));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const written = (): Promise<void> => new Promise((resolve) => (heard = resolve));
  return { arrivals, port, written, close: () => server.close() };
}

/** All coils off. */
function answerToRead(request: Buffer): Buffer {
  const head = Buffer.from(request.subarray(0, 8));
  head.writeUInt16BE(4, 4);
  return Buffer.concat([head, Buffer.from([1, 0])]);
}
