import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, Server as TlsServer, type TlsOptions } from 'node:tls';
import { FrameChannel } from './channel.ts';
import { defaultMaxBytes } from './frame.ts';
import { MemoryBudget } from './memory-budget.ts';
import type { RemoteMethod } from './method.ts';
import { objectTable, type ObjectTable } from './served-object.ts';
import { ServerConnection, type Admission } from './server-connection.ts';
import { Turnstile } from './turnstile.ts';

export interface RemoteServerLimits {
  /** Longest body of a request, bytes. */
  readonly requestBytes: number;
  /** Longest request after inflating, bytes. */
  readonly inflatedBytes: number;
  /** Maximum values in a request, including keys and escapes. */
  readonly values: number;
  /** Longest answer, bytes. */
  readonly answerBytes: number;
  /** Longest answer to a batch of an untrusted caller, bytes: it is all in memory before the first byte is sent. */
  readonly batchBytes: number;
  /**
   * Memory of all messages on their way in or out, bytes; beyond it the largest holder is dropped. Trusted callers are
   * counted separately.
   */
  readonly messageBytes: number;
  /** Maximum callers at a time; trusted ones need no place. */
  readonly connections: number;
  /**
   * When all places are taken, a new caller replaces the one that has been silent longest, if at least this long, ms.
   */
  readonly idleMs: number;
  /** Maximum connections before the end of their handshake; the oldest is dropped first. */
  readonly pending: number;
  /** Time limit for the handshake, and before it for that of TLS, ms. */
  readonly handshakeMs: number;
  /** Time limit for one message to arrive, or to be taken by the other side, ms. */
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
  /** Identifies a caller by its handshake value; undefined refuses it. Without it every caller is admitted. */
  readonly admit?: (handshake: unknown) => string | undefined;
  /** A caller that is served whatever the others do: it needs no place and waits for no turn. */
  readonly trusted?: string;
  /** Called with handler faults, whose text no caller gets. */
  readonly onFault?: (error: unknown) => void;
}

const defaultLimits: RemoteServerLimits = {
  requestBytes: 1024 * 1024,
  inflatedBytes: 1024 * 1024,
  values: 40_000,
  answerBytes: defaultMaxBytes,
  batchBytes: 2 * 1024 * 1024,
  messageBytes: 64 * 1024 * 1024,
  connections: 64,
  idleMs: 10_000,
  pending: 1_024,
  handshakeMs: 10_000,
  frameMs: 30_000,
};
const full = 'no free workers, increase server threadpool size';
const keepAliveMs = 30_000;
const stopGraceMs = 500;

/**
 * Serves one object to Pyro5 clients (protocol 502, serpent and json), besides `Pyro.Daemon`. The constructor opens
 * nothing.
 */
export class RemoteServer {
  readonly #options: RemoteServerOptions;
  readonly #limits: RemoteServerLimits;
  readonly #objects: ObjectTable;
  readonly #sockets = new Set<Socket>();
  /** Sockets by peer whose handshake is not complete, in order of arrival. */
  readonly #pending = new Map<string, Socket>();
  readonly #connections = new Set<ServerConnection>();
  readonly #callers = new Set<ServerConnection>();
  readonly #turns = new Turnstile();
  readonly #memory: MemoryBudget;
  #server: Server | undefined;

  constructor(options: RemoteServerOptions) {
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#memory = new MemoryBudget(this.#limits.messageBytes);
    this.#objects = objectTable(options.objectId, options.methods, () => this.#info());
  }

  /** Port that is listened on; undefined while stopped. */
  get port(): number | undefined {
    return this.#address()?.port;
  }

  /**
   * Resolves when calls are served. Rejects with the system's error (code `EADDRINUSE`, ...) when the port is not
   * available.
   */
  async start(): Promise<void> {
    if (this.#server !== undefined) return;
    const { host, port } = this.#options;
    const server = this.#createServer();
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
   * Stops listening, aborts running calls, gives their answers half a second to be sent, then cuts the connections. A
   * handler must not wait for it, as its own answer is one of them.
   */
  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const connection of this.#connections) connection.stop();
    const cut = setTimeout(() => this.#cutAll(), stopGraceMs);
    await closed;
    clearTimeout(cut);
  }

  /** Serves another certificate to new connections. */
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
    const peer = peerOf(socket);
    this.#pending.set(peer, socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (this.#pending.get(peer) === socket) this.#pending.delete(peer);
    });
    const [oldest] = this.#pending.values();
    if (this.#pending.size > this.#limits.pending) oldest?.destroy();
    socket.setNoDelay(true);
    socket.setKeepAlive(true, keepAliveMs);
  }

  #serve(socket: Socket): void {
    if (socket.destroyed) return;
    const { requestBytes, frameMs } = this.#limits;
    const connection: ServerConnection = new ServerConnection({
      channel: new FrameChannel(socket, { maxBytes: requestBytes, frameMs, memory: this.#memory }),
      peer: peerOf(socket),
      limits: this.#limits,
      turns: this.#turns,
      objects: this.#objects,
      onFault: (error) => this.#fault(error),
      admit: (handshake) => this.#admit(handshake, connection),
    });
    this.#connections.add(connection);
    socket.once('close', () => this.#callers.delete(connection));
    void connection.run().finally(() => this.#connections.delete(connection));
  }

  #admit(handshake: unknown, connection: ServerConnection): Admission {
    const { admit, trusted } = this.#options;
    const caller = admit === undefined ? '' : admit(handshake);
    if (caller === undefined) return { refusal: 'handshake refused' };
    const isTrusted = caller === trusted;
    if (!isTrusted && !this.#makePlace()) return { refusal: full };
    if (!isTrusted) this.#callers.add(connection);
    this.#pending.delete(connection.peer);
    return { caller, isTrusted };
  }

  /** False when every place is taken by a caller that has used it lately. */
  #makePlace(): boolean {
    const { connections, idleMs } = this.#limits;
    if (this.#callers.size < connections) return true;
    const [longest] = [...this.#callers].sort((one, other) => other.idleMs - one.idleMs);
    if (longest === undefined || longest.idleMs < idleMs) return false;
    this.#callers.delete(longest);
    longest.drop();
    return true;
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
    const workers = `${this.#callers.size} of ${this.#limits.connections} connections`;
    return `Pyro.Daemon bound on ${location}, NAT None, ${this.#objects.size} objects registered. Servertype: ${workers}`;
  }
}

/** The same for the accepted socket and for the TLS socket over it. */
function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? 'unknown'}:${remotePort ?? 0}`;
}
