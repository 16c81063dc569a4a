import { once } from 'node:events';
import { createSecureServer, type Http2SecureServer, type ServerHttp2Session } from 'node:http2';
import { createServer, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { setTimeout as delay } from 'node:timers/promises';
import type { RequestHandler } from './app.ts';
import { type ConnectionLimits, Connections, type PeerOf } from './connections.ts';
import { HandshakePace } from './handshake-pace.ts';
import { refusePlainHttp } from './plain-http.ts';

const tlsHandshakeByte = 0x16;
const portRetryMs = 200;

export interface TlsCredentials {
  /** PEM. */
  key: string;
  cert: string;
}

export interface FrontOptions {
  handle: RequestHandler;
  tls: TlsCredentials;
  /** Time for the first byte, the TLS handshake and a request's headers; default 10 s. */
  headersTimeoutMs?: number;
  /** Time for a whole HTTP/1 request; default 60 s. */
  requestTimeoutMs?: number;
  /** Cuts a connection on which nothing moves for this long; default 120 s. Event streams send more often. */
  idleTimeoutMs?: number;
  connections?: Partial<ConnectionLimits>;
}

export interface ListenOptions {
  host: string;
  /** 0: any free one. */
  port: number;
  /** How long to wait for a taken port; default 5 s. */
  waitMs?: number;
  /** Allows another address of the same port to be added later without closing this one. */
  isShared?: boolean;
}

/**
 * Linux lets a program listen on loopback and on all addresses of one port only with SO_REUSEPORT on both. Other
 * programs of the user could join in, so it is used only when needed, and only on a port that was free before.
 */
const needsReusePort = process.platform === 'linux';

/** The port is taken, not allowed, or the address is not this machine's; `cause` says which. */
class ListenError extends Error {
  readonly code = 'cannot_listen';
}

/** One port for HTTPS (HTTP/2 and 1.1) that tells plain-HTTP clients to come back by HTTPS. */
export class Front {
  readonly #secure: Http2SecureServer;
  readonly #options: FrontOptions;
  #handle: RequestHandler;
  readonly #connections: Connections;
  readonly #handshakes = new HandshakePace();
  readonly #sockets = new Set<Socket>();
  readonly #sessions = new Set<ServerHttp2Session>();
  #servers: Server[] = [];

  constructor(options: FrontOptions) {
    this.#options = options;
    this.#handle = options.handle;
    this.#connections = new Connections(options.connections);
    this.#secure = makeSecureServer({
      ...options,
      handle: (request, response) => {
        response.once('close', this.#connections.busy(request.socket));
        this.#handle(request, response);
      },
    });
    this.#secure.on('session', (session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
      session.on('error', () => session.destroy());
    });
  }

  /** Someone has logged in on this connection: it is not cut for a stranger. */
  vouch(peer: PeerOf): void {
    this.#connections.vouch(peer);
  }

  /** Replaces the request handler. */
  answerBy(handle: RequestHandler): void {
    this.#handle = handle;
  }

  /** Serves a new leaf certificate to new connections. */
  renew(tls: TlsCredentials): void {
    this.#secure.setSecureContext(tls);
  }

  /** Starts to listen; call again for a further address. Returns the port. Throws ListenError. */
  async listen(options: ListenOptions): Promise<number> {
    const server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
    if (options.isShared === true && options.port !== 0 && this.#servers.length === 0) await probe(options);
    await listenWhenFree(server, options);
    this.#servers.push(server);
    const address = server.address();
    return typeof address === 'object' && address ? address.port : options.port;
  }

  /** Accepts no more connections until the next `listen`; open ones stay, and `close` ends them too. */
  stopListening(): void {
    for (const server of this.#servers) server.close();
  }

  /** Accepts no more connections, lets answers under way end within graceMs (default 0.8 s), then cuts the rest. */
  async close(graceMs = 800): Promise<void> {
    const closed = this.#servers.map((server) => new Promise((resolve) => server.close(resolve)));
    this.#servers = [];
    this.#secure.close();
    for (const session of this.#sessions) session.close();
    const timer = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, graceMs);
    await Promise.all(closed);
    clearTimeout(timer);
  }

  #accept(socket: Socket): void {
    if (!this.#connections.admit(socket)) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.setTimeout(this.#options.headersTimeoutMs ?? 10_000, () => socket.destroy());
    // Listening to 'data' instead would take the bytes from the handshake.
    socket.once('readable', () => {
      const first = socket.read(1) as Buffer | null; // a socket without an encoding gives buffers
      if (first === null) return;
      socket.setTimeout(0);
      socket.unshift(first);
      if (first[0] !== tlsHandshakeByte) refusePlainHttp(socket);
      else this.#handshakes.when(socket, () => this.#secure.emit('connection', socket));
    });
  }
}

function makeSecureServer(options: FrontOptions): Http2SecureServer {
  const headersTimeoutMs = options.headersTimeoutMs ?? 10_000;
  const http1Options = {
    headersTimeout: headersTimeoutMs,
    requestTimeout: options.requestTimeoutMs ?? 60_000,
    connectionsCheckingInterval: Math.min(headersTimeoutMs, 5000),
  };
  const secure = createSecureServer({
    ...options.tls,
    // HTTP/1.1 alone would limit a browser to six event streams.
    allowHTTP1: true,
    minVersion: 'TLSv1.2',
    handshakeTimeout: headersTimeoutMs,
    settings: { maxConcurrentStreams: 100 },
    ...http1Options,
  });
  secure.setTimeout(options.idleTimeoutMs ?? 120_000);
  // Koa accepts the compatibility objects of HTTP/2 like those of HTTP/1; its types know only the latter.
  secure.on('request', options.handle as never);
  // A failed handshake is the client's matter (a scanner, a device that does not trust us yet).
  secure.on('tlsClientError', (_error: Error, socket: TLSSocket) => socket.destroy());
  // Node starts to time out slow HTTP/1 requests at this event, but here it is the front that listens.
  secure.emit('listening');
  return secure;
}

async function listenWhenFree(server: Server, options: ListenOptions): Promise<void> {
  const deadlineMs = performance.now() + (options.waitMs ?? 5000);
  for (;;) {
    try {
      await listenOnce(server, options);
      return;
    } catch (cause) {
      const isTaken = cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE';
      if (!isTaken || performance.now() >= deadlineMs) {
        const where = `${options.host}:${options.port}`;
        throw new ListenError(isTaken ? `${where} is taken by another program` : `cannot listen on ${where}`, {
          cause,
        });
      }
      await delay(portRetryMs);
    }
  }
}

/** Throws ListenError if another program has the port, which a shared listener would not notice. */
async function probe({ host, port, waitMs }: ListenOptions): Promise<void> {
  const server = createServer();
  await listenWhenFree(server, { host, port, ...(waitMs !== undefined && { waitMs }) });
  await new Promise((resolve) => server.close(resolve));
}

async function listenOnce(server: Server, { host, port, isShared = false }: ListenOptions): Promise<void> {
  server.listen({ host, port, reusePort: isShared && needsReusePort });
  await once(server, 'listening'); // rejects at 'error', and leaves no listener behind for the next try
}
