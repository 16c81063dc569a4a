import { connect as connectTcp } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type ConnectionOptions as TlsConnectionOptions } from 'node:tls';
import { messageOf } from '../contract/message-of.ts';
import { FrameChannel } from './channel.ts';
import { exceptionFromWire, isRecord, protocolError, RemoteError } from './exception.ts';
import { draftFrame, flag, messageTypes, plainPayload, type Frame } from './frame.ts';
import { decodeRefusal, marshal } from './refusal.ts';
import type { Invocation, Serializer } from './serializer.ts';
import type { RemoteUri } from './uri.ts';

const pingSerializer = 42;
const sequenceEnd = 0x1_0000;
const keepAliveMs = 30_000;

export interface ClientConnectionOptions {
  readonly uri: RemoteUri;
  readonly serializer: Serializer;
  /** Sent in the handshake; Pyro5's default is 'hello'. */
  readonly handshake: unknown;
  /** Longest answer, and longest inflated answer, bytes. */
  readonly maxBytes: number;
  /** Longest time for one message to arrive or leave once it began, ms. */
  readonly frameMs: number;
  readonly tls?: TlsConnectionOptions;
  /** Opens the stream instead of TCP or TLS; it must be ready for writing. */
  readonly connect?: (uri: RemoteUri, signal: AbortSignal) => Promise<Duplex>;
}

/** The client's side of one connection after its handshake; one exchange at a time. */
export class ClientConnection {
  readonly #options: ClientConnectionOptions;
  readonly #channel: FrameChannel;
  #seq = 0;
  #oneway: ReadonlySet<string> = new Set();

  private constructor(options: ClientConnectionOptions, channel: FrameChannel) {
    this.#options = options;
    this.#channel = channel;
  }

  /**
   * Connects and shakes hands. Rejects with RemoteError `connection_failed`, with `handshake_refused` and the server's
   * message, or with the reason of `signal`.
   */
  static async open(options: ClientConnectionOptions, signal: AbortSignal): Promise<ClientConnection> {
    const socket = await openSocket(options, signal);
    const { maxBytes, frameMs } = options;
    const connection = new ClientConnection(options, new FrameChannel(socket, { maxBytes, frameMs }));
    await connection.#guarded(signal, () => connection.#handshake());
    return connection;
  }

  get isOpen(): boolean {
    return !this.#channel.closed.aborted;
  }

  close(): void {
    this.#channel.destroy();
  }

  /**
   * Sends a call; resolves with its result, or with null for a method that the server declared oneway. Rejects with
   * RemoteError.
   */
  invoke(invocation: Invocation, flags: number, signal: AbortSignal): Promise<unknown> {
    const isOneway = this.#oneway.has(invocation.method);
    const payload = this.#options.serializer.encodeInvocation(invocation);
    return this.#guarded(signal, async () => {
      const request = this.#request(messageTypes.invoke, payload, isOneway ? flags | flag.oneway : flags);
      await this.#channel.send(request);
      return isOneway ? null : this.#result(request);
    });
  }

  ping(signal: AbortSignal): Promise<void> {
    return this.#guarded(signal, async () => {
      const request = { ...this.#request(messageTypes.ping, Buffer.from('ping', 'ascii')), serializer: pingSerializer };
      await this.#channel.send(request);
      await this.#answer(request, messageTypes.ping);
    });
  }

  async #handshake(): Promise<void> {
    const { handshake, uri, serializer } = this.#options;
    const request = this.#request(messageTypes.connect, serializer.encode({ handshake, object: uri.object }));
    await this.#channel.send(request);
    const frame = await this.#receive();
    if (frame.type === messageTypes.connectFail) throw this.#refusal(frame);
    this.#check(frame, request, messageTypes.connectOk);
    this.#oneway = onewayMethods(this.#decode(frame));
  }

  #refusal(frame: Frame): RemoteError {
    const isText = frame.serializer === marshal || frame.serializer !== this.#options.serializer.id;
    const text = isText ? decodeRefusal(frame.payload) : this.#decode(frame);
    return new RemoteError('handshake_refused', typeof text === 'string' ? text : 'refused without a reason');
  }

  async #result(request: Frame): Promise<unknown> {
    const frame = await this.#answer(request, messageTypes.result);
    const value = this.#decode(frame);
    if ((frame.flags & flag.exception) !== 0) throw new ReportedError(exceptionFromWire(value));
    return value;
  }

  async #answer(request: Frame, type: number): Promise<Frame> {
    const frame = await this.#receive();
    this.#check(frame, request, type);
    return frame;
  }

  async #receive(): Promise<Frame> {
    const frame = await this.#channel.receive();
    if (frame !== undefined) return frame;
    throw this.#channel.closed.reason;
  }

  #check(frame: Frame, request: Frame, type: number): void {
    if (frame.type !== type) throw protocolError(`answer of type ${frame.type} instead of ${type}`);
    if (frame.seq !== request.seq) throw protocolError(`answer ${frame.seq} to request ${request.seq}`);
    if (frame.serializer !== request.serializer) throw protocolError(`answer in serializer ${frame.serializer}`);
  }

  #decode(frame: Frame): unknown {
    return this.#options.serializer.decode(plainPayload(frame, this.#options.maxBytes));
  }

  #request(type: number, payload: Buffer, flags = 0): Frame {
    const seq = this.#seq;
    this.#seq = (seq + 1) % sequenceEnd;
    return draftFrame({ type, serializer: this.#options.serializer.id, flags, seq, payload });
  }

  /** A broken exchange, even an aborted one, leaves the stream at an unknown position, so the connection is dropped. */
  async #guarded<T>(signal: AbortSignal, exchange: () => Promise<T>): Promise<T> {
    const drop = () => this.#channel.destroy();
    signal.addEventListener('abort', drop, { once: true });
    try {
      signal.throwIfAborted();
      return await exchange();
    } catch (error) {
      if (error instanceof ReportedError) throw error.report;
      this.#channel.destroy();
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', drop);
    }
  }
}

/** Carries a failure that the other side reported properly past the handling of broken exchanges. */
class ReportedError extends Error {
  readonly report: RemoteError;

  constructor(report: RemoteError) {
    super(report.message);
    this.report = report;
  }
}

function onewayMethods(answer: unknown): ReadonlySet<string> {
  const meta = isRecord(answer) ? answer.meta : undefined;
  const names = isRecord(meta) ? meta.oneway : undefined;
  const list: unknown[] = Array.isArray(names) || names instanceof Set ? [...(names as Iterable<unknown>)] : []; // any[] or Set<any>
  return new Set(list.filter((name) => typeof name === 'string'));
}

/** A connected stream, with TLS one whose peer is verified: the handshake value is a secret. */
async function openSocket(options: ClientConnectionOptions, signal: AbortSignal): Promise<Duplex> {
  signal.throwIfAborted();
  const { connect, tls, uri } = options;
  if (connect !== undefined) return connect(uri, signal);
  const { host, port } = uri;
  const socket = tls === undefined ? connectTcp({ host, port }) : connectTls({ ...tls, host, port });
  socket.setNoDelay(true);
  socket.setKeepAlive(true, keepAliveMs);
  const drop = () => socket.destroy();
  signal.addEventListener('abort', drop, { once: true });
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once(tls === undefined ? 'connect' : 'secureConnect', resolve);
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('closed while connecting')));
    });
    return socket;
  } catch (cause) {
    socket.destroy();
    signal.throwIfAborted();
    const reason = messageOf(cause);
    throw new RemoteError('connection_failed', `cannot connect to ${host}:${port}: ${reason}`, { cause });
  } finally {
    signal.removeEventListener('abort', drop);
  }
}
