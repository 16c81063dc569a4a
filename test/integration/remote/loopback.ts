import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';
import { FrameChannel } from '../../../server/remote/channel.ts';
import { RemoteProxy, type RemoteProxyOptions } from '../../../server/remote/client.ts';
import { draftFrame, messageTypes, type Frame, type FrameDraft } from '../../../server/remote/frame.ts';
import type { RemoteMethod } from '../../../server/remote/method.ts';
import { RemoteServer, type RemoteServerOptions } from '../../../server/remote/server.ts';
import { json, serpent } from '../../../server/remote/serializer.ts';

export const objectName = 'orangery.pyro_server';
export const loopback = '127.0.0.1';
const channelLimits = { maxBytes: 1_000_000, frameMs: 5_000 };

/** A server on a free loopback port, stopped with the test. */
export async function startServer(
  methods: Record<string, RemoteMethod>,
  options: Partial<RemoteServerOptions> = {},
): Promise<RemoteServer & { readonly port: number }> {
  const server = new RemoteServer({ objectId: objectName, methods, host: loopback, port: 0, ...options });
  await server.start();
  onTestFinished(() => server.stop());
  return server as RemoteServer & { readonly port: number }; // it is listening
}

export function openProxy(port: number, options: Partial<RemoteProxyOptions> = {}): RemoteProxy {
  const proxy = new RemoteProxy({ uri: `PYRO:${objectName}@${loopback}:${port}`, timeoutMs: 5_000, ...options });
  onTestFinished(() => proxy.close());
  return proxy;
}

/** A peer that sends what it is told, well formed or not. */
export class RawPeer {
  readonly socket: Duplex;
  readonly channel: FrameChannel;
  readonly closed: Promise<unknown>;

  constructor(socket: Duplex) {
    this.socket = socket;
    this.channel = new FrameChannel(socket, channelLimits);
    this.closed = new Promise((resolve) => socket.once('close', resolve));
  }

  /** Connects without a handshake. */
  static async open(port: number): Promise<RawPeer> {
    const socket = connect({ host: loopback, port });
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return new RawPeer(socket);
  }

  /** Connects and shakes hands in serpent. */
  static async greet(port: number, object = objectName): Promise<RawPeer> {
    const peer = await RawPeer.open(port);
    const answer = await peer.ask({
      type: messageTypes.connect,
      serializer: 1,
      payload: serpent.encode({ handshake: 'hello', object }),
    });
    if (answer.type !== messageTypes.connectOk) throw new Error(`refused: ${answer.payload.toString()}`);
    return peer;
  }

  write(bytes: Uint8Array): void {
    this.socket.write(bytes);
  }

  async ask(draft: FrameDraft): Promise<Frame> {
    await this.channel.send(draftFrame(draft));
    return this.answer();
  }

  async answer(): Promise<Frame> {
    const frame = await this.channel.receive();
    if (frame === undefined) throw new Error('the connection was closed instead of an answer');
    return frame;
  }
}

/** A server that answers each connection with `serve`; resolves to its port. */
export async function startRawServer(serve: (peer: RawPeer) => Promise<void>): Promise<number> {
  const peers: RawPeer[] = [];
  const server = createServer((socket) => {
    const peer = new RawPeer(socket);
    peers.push(peer);
    serve(peer).catch(() => socket.destroy());
  });
  server.listen(0, loopback);
  await once(server, 'listening');
  onTestFinished(() => {
    for (const peer of peers) peer.socket.destroy();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}

/** Accepts a handshake as a Pyro5 daemon does; resolves to the request. */
export async function acceptHandshake(peer: RawPeer, oneway: readonly string[] = []): Promise<Frame> {
  const request = await peer.answer();
  const serializer = request.serializer === json.id ? json : serpent;
  const payload = serializer.encode({ handshake: 'hello', meta: { methods: ['echo'], oneway, attrs: [] } });
  await peer.channel.send(
    draftFrame({ type: messageTypes.connectOk, serializer: serializer.id, seq: request.seq, flags: 0x40, payload }),
  );
  return request;
}
