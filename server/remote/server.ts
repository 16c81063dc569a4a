import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer, Server as TlsServer } from 'node:tls';
import type { TlsOptions } from 'node:tls';
import { FrameChannel } from './channel.ts';
import { DEFAULT_MAX_BYTES } from './frame.ts';
import type { RemoteMethod } from './method.ts';
import { objectTable } from './served-object.ts';
import type { ObjectTable } from './served-object.ts';
import { ServerConnection } from './server-connection.ts';
import type { Admission } from './server-connection.ts';

export interface RemoteServerLimits {
  /** Longest message body, bytes. */
  readonly frameBytes: number;
  /** Longest payload after inflating, bytes. */
  readonly inflatedBytes: number;
  readonly connections: number;
  /** Longest time for the handshake, and before it for that of TLS, ms. */
  readonly handshakeMs: number;
  /** Longest time for one message to arrive, or to be taken by the other side, ms. */
  readonly frameMs: number;
}

export interface RemoteServerOptions {
  readonly objectId: string;
  readonly methods: Readonly<Record<string, RemoteMethod>>;
  readonly host: string;
  /** 0 takes a free port. */
  readonly port: number;
  readonly limits?: Partial<RemoteServerLimits>;
  /** Serves TLS only. */
  readonly tls?: TlsOptions;
  /** Says by the value of a handshake who calls; undefined turns it away. Without it everybody is let in. */
  readonly admit?: (handshake: unknown) => string | undefined;
  /** Told of handler faults, whose text no caller gets. */
  readonly onFault?: (error: unknown) => void;
}

const DEFAULT_LIMITS: RemoteServerLimits = {
  frameBytes: DEFAULT_MAX_BYTES,
  inflatedBytes: DEFAULT_MAX_BYTES,
  connections: 64,
  handshakeMs: 10_000,
  frameMs: 30_000,
};
const FULL = 'no free workers, increase server threadpool size';
/** Beyond the limit as many again are heard out, to be refused in words; further ones are dropped at once. */
const REFUSED_SHARE = 2;
const KEEP_ALIVE_MS = 30_000;
const STOP_GRACE_MS = 500;

/** Serves one object to Pyro5 clients (protocol 502, serpent and json), besides `Pyro.Daemon`. The constructor opens nothing. */
export class RemoteServer {
  readonly #options: RemoteServerOptions;
  readonly #limits: RemoteServerLimits;
  readonly #objects: ObjectTable;
  readonly #sockets = new Set<Socket>();
  readonly #connections = new Map<ServerConnection, Promise<void>>();
  #admitted = 0;
  #server: Server | undefined;

  constructor(options: RemoteServerOptions) {
    this.#options = options;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#objects = objectTable(options.objectId, options.methods, () => this.#info());
  }

  /** Port that is listened on; undefined while stopped. */
  get port(): number | undefined {
    return this.#address()?.port;
  }

  /** Resolves when calls are served. Rejects with the system's error (code `EADDRINUSE`, ...) when the port cannot be had. */
  async start(): Promise<void> {
    if (this.#server !== undefined) return;
    const { host, port } = this.#options;
    const server = this.#createServer();
    server.maxConnections = this.#limits.connections * REFUSED_SHARE;
    server.on('connection', (socket) => this.#track(socket));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port }, () => {
        server.off('error', reject);
        resolve();
      });
    });
    server.on('error', (error) => this.#fault(error));
    this.#server = server;
  }

  /**
   * Stops listening, aborts what runs, gives answers under way half a second to leave, then cuts the connections. A handler must not
   * wait for it: its own answer is one of those waited for.
   */
  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const connection of this.#connections.keys()) connection.stop();
    const cut = setTimeout(() => this.#cutAll(), STOP_GRACE_MS);
    await closed;
    clearTimeout(cut);
  }

  /** Serves another certificate to those who connect from now on. */
  renew(tls: TlsOptions): void {
    if (this.#server instanceof TlsServer) this.#server.setSecureContext(tls);
  }

  #createServer(): Server {
    const { tls } = this.#options;
    if (tls === undefined) return createServer((socket) => this.#serve(socket));
    const server = createTlsServer({ ...tls, handshakeTimeout: this.#limits.handshakeMs });
    server.on('secureConnection', (socket) => this.#serve(socket));
    server.on('tlsClientError', (_error, socket) => socket.destroy());
    return server;
  }

  /** Knows every socket from its first moment, TLS handshake included, so that a stop can cut it. */
  #track(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
  }

  #serve(socket: Socket): void {
    if (socket.destroyed) return;
    const isFull = this.#admitted >= this.#limits.connections;
    const { frameBytes, inflatedBytes, frameMs, handshakeMs } = this.#limits;
    const connection = new ServerConnection({
      channel: new FrameChannel(socket, { maxBytes: frameBytes, frameMs }),
      peer: `${socket.remoteAddress ?? 'unknown'}:${socket.remotePort ?? 0}`,
      limits: { frameBytes, inflatedBytes, handshakeMs },
      objects: this.#objects,
      onFault: (error) => this.#fault(error),
      admit: (handshake) => this.#admit(handshake, isFull),
    });
    if (!isFull) {
      this.#admitted += 1;
      socket.once('close', () => (this.#admitted -= 1));
    }
    const ended = connection.run().finally(() => this.#connections.delete(connection));
    this.#connections.set(connection, ended);
  }

  #admit(handshake: unknown, isFull: boolean): Admission {
    if (isFull) return { refusal: FULL };
    const { admit } = this.#options;
    const caller = admit === undefined ? '' : admit(handshake);
    return caller === undefined ? { refusal: 'handshake refused' } : { caller };
  }

  #cutAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #fault(error: unknown): void {
    this.#options.onFault?.(error);
  }

  #address(): AddressInfo | undefined {
    const address = this.#server?.address();
    return typeof address === 'object' && address !== null ? address : undefined;
  }

  #info(): string {
    const address = this.#address();
    const location = `${address?.address ?? this.#options.host}:${address?.port ?? this.#options.port}`;
    const workers = `${this.#admitted} of ${this.#limits.connections} connections`;
    return `Pyro.Daemon bound on ${location}, NAT None, ${this.#objects.size} objects registered. Servertype: ${workers}`;
  }
}
