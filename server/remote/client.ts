import { ClientConnection, type ClientConnectionOptions } from './client-connection.ts';
import { Deadline } from './deadline.ts';
import { exceptionFromWire, isRecord, protocolError, RemoteError } from './exception.ts';
import { defaultMaxBytes, flag } from './frame.ts';
import { json, serpent } from './serializer.ts';
import { Tuple } from './tuple.ts';
import { parseRemoteUri } from './uri.ts';

const defaultTimeoutMs = 10_000;
const usualFrameMs = 30_000;

export interface RemoteProxyOptions extends Partial<Pick<ClientConnectionOptions, 'connect' | 'tls' | 'handshake'>> {
  /** `PYRO:object@host:port`. */
  readonly uri: string;
  /** Time limit of a call from its start to the answer, including the wait for earlier calls and connecting, ms. */
  readonly timeoutMs?: number;
  readonly serializer?: 'serpent' | 'json';
  /** Longest answer, bytes. */
  readonly maxBytes?: number;
}

export interface CallOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface BatchCall {
  readonly method: string;
  readonly positional?: readonly unknown[];
  readonly keywords?: Readonly<Record<string, unknown>>;
}

/** The result of one call of a batch; the first error is the last result. */
export type BatchResult = { readonly result: unknown } | { readonly error: RemoteError };

/**
 * Calls one remote object, ours or Pyro5's. It connects at the first call and at the first call after a failure, and
 * sends one call at a time: a call that must not wait for another needs a proxy of its own. No call is repeated
 * automatically.
 *
 * Calls reject with RemoteError: the code that the server reported, or `connection_failed`, `handshake_refused`,
 * `timeout`, `aborted`, `closed`, `protocol_error`, `too_large`, `serialize_error`.
 */
export class RemoteProxy {
  readonly #options: ClientConnectionOptions;
  readonly #timeoutMs: number;
  readonly #closing = new AbortController();
  #connection: ClientConnection | undefined;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(options: RemoteProxyOptions) {
    const { uri, timeoutMs, serializer, maxBytes, ...connection } = options;
    this.#timeoutMs = timeoutMs ?? defaultTimeoutMs;
    this.#options = {
      handshake: 'hello',
      ...connection,
      uri: parseRemoteUri(uri),
      serializer: serializer === 'json' ? json : serpent,
      maxBytes: maxBytes ?? defaultMaxBytes,
      frameMs: usualFrameMs,
    };
  }

  /** Calls a method; one that the server declared oneway resolves with null once it is sent. */
  call(
    method: string,
    positional: readonly unknown[] = [],
    keywords: Readonly<Record<string, unknown>> = {},
    options: CallOptions = {},
  ): Promise<unknown> {
    const { object } = this.#options.uri;
    return this.#exchange(options, (connection, signal) =>
      connection.invoke({ object, method, positional, keywords }, 0, signal),
    );
  }

  /** Sends several calls in one message; the server runs them in order up to the first that fails. */
  async batch(calls: readonly BatchCall[], options: CallOptions = {}): Promise<BatchResult[]> {
    const { object } = this.#options.uri;
    const positional = calls.map((one) => new Tuple([one.method, new Tuple(one.positional ?? []), one.keywords ?? {}]));
    const results = await this.#exchange(options, (connection, signal) =>
      connection.invoke({ object, method: '<batch>', positional, keywords: null }, flag.batch, signal),
    );
    if (!Array.isArray(results)) throw protocolError('the answer to a batch is a list');
    return results.map(batchResult);
  }

  /** Resolves when the server answers, which it does without reading a payload or calling a method. */
  ping(options: CallOptions = {}): Promise<void> {
    return this.#exchange(options, (connection, signal) => connection.ping(signal));
  }

  /** Drops the connection; all calls, present and future, reject with `closed`. */
  close(): void {
    this.#closing.abort(new RemoteError('closed', 'the proxy is closed'));
    this.#connection?.close();
    this.#connection = undefined;
  }

  async #exchange<T>(
    options: CallOptions,
    run: (connection: ClientConnection, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const deadline = new Deadline(options.timeoutMs ?? this.#timeoutMs, [this.#closing.signal, options.signal]);
    const turn = this.#tail;
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    this.#tail = Promise.all([turn, done]);
    try {
      await deadline.race(turn);
      return await run(await this.#connected(deadline.signal), deadline.signal);
    } finally {
      finish();
      deadline.clear();
    }
  }

  async #connected(signal: AbortSignal): Promise<ClientConnection> {
    if (this.#connection?.isOpen === true) return this.#connection;
    this.#connection = undefined;
    const connection = await ClientConnection.open(this.#options, signal);
    this.#connection = connection;
    return connection;
  }
}

function batchResult(value: unknown): BatchResult {
  if (!isRecord(value) || value.__class__ !== 'Pyro5.core._ExceptionWrapper') return { result: value };
  return { error: exceptionFromWire(value.exception) };
}
