import { Tuple } from './tuple.ts';

const pyroError = 'Pyro5.errors.PyroError';

/**
 * Classes after which a Pyro5 daemon closes the connection: SerializeError, SecurityError and every CommunicationError.
 */
const closingClasses: ReadonlySet<string> = new Set([
  'Pyro5.errors.CommunicationError',
  'Pyro5.errors.ConnectionClosedError',
  'Pyro5.errors.TimeoutError',
  'Pyro5.errors.ProtocolError',
  'Pyro5.errors.MessageTooLargeError',
  'Pyro5.errors.SerializeError',
  'Pyro5.errors.SecurityError',
]);

/** Classes that a Python client can rebuild and that we use; any other is sent as PyroError. */
const sentClasses: ReadonlySet<string> = new Set([
  ...closingClasses,
  pyroError,
  'Pyro5.errors.DaemonError',
  'builtins.AttributeError',
]);

/** The form of a code that is meant for the other side; `ECONNREFUSED` or `SQLITE_BUSY` are not. */
const publicCode = /^[a-z][a-z0-9_]*$/;

export interface RemoteErrorOptions extends ErrorOptions {
  readonly remote_class?: string;
}

/**
 * A failure of a remote call: reported by the other side (`remote_class` is its Python class) or of the connection
 * (`connection_failed`, `handshake_refused`, `timeout`, `aborted`, `closed`, `protocol_error`, `too_large`,
 * `serialize_error`). A report without a code has `remote_error`.
 */
export class RemoteError extends Error {
  override readonly name = 'RemoteError';
  readonly code: string;
  readonly remote_class: string;

  constructor(code: string, message: string, options: RemoteErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.remote_class = options.remote_class ?? pyroError;
  }
}

/** The bytes violate the protocol; their connection is no longer usable. */
export function protocolError(message: string): RemoteError {
  return new RemoteError('protocol_error', message, { remote_class: 'Pyro5.errors.ProtocolError' });
}

/** A frame or its inflated payload is longer than agreed. */
export function tooLarge(message: string): RemoteError {
  return new RemoteError('too_large', message, { remote_class: 'Pyro5.errors.MessageTooLargeError' });
}

/** A serializer cannot write a value, or cannot read a text. */
export function serializeError(message: string, options: ErrorOptions = {}): RemoteError {
  return new RemoteError('serialize_error', message, { ...options, remote_class: 'Pyro5.errors.SerializeError' });
}

/** Whether the connection must be closed after reporting this error, as Pyro5 does. */
export function endsConnection(error: RemoteError): boolean {
  return closingClasses.has(error.remote_class);
}

/** Turns a thrown value into an error for the caller; undefined for a fault whose text must stay private. */
export function publicError(thrown: unknown): RemoteError | undefined {
  if (thrown instanceof RemoteError) return thrown;
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined;
  const { code } = thrown;
  return typeof code === 'string' && publicCode.test(code)
    ? new RemoteError(code, thrown.message, { cause: thrown })
    : undefined;
}

/**
 * The exception dictionary of an error, without a traceback. A Python client has `code` as an attribute, except in a
 * batch, where it keeps only class and arguments: there the message begins with the code.
 */
export function exceptionToWire(error: RemoteError, inBatch = false): Record<string, unknown> {
  return {
    __class__: sentClasses.has(error.remote_class) ? error.remote_class : pyroError,
    __exception__: true,
    args: new Tuple([inBatch ? `${error.code}: ${error.message}` : error.message]),
    attributes: { code: error.code, _pyroTraceback: [] },
  };
}

/** Reads an exception dictionary as plain data; the named class is never instantiated. */
export function exceptionFromWire(value: unknown): RemoteError {
  if (!isRecord(value)) return new RemoteError('remote_error', describe(value));
  const args = Array.isArray(value.args) ? value.args.map(describe) : [];
  const attributes = isRecord(value.attributes) ? value.attributes : {};
  const remoteClass = typeof value.__class__ === 'string' ? value.__class__ : pyroError;
  const code = typeof attributes.code === 'string' ? attributes.code : 'remote_error';
  const message = args.length === 0 ? remoteClass : args.join(', ');
  const prefix = `${code}: `;
  const plain = message.startsWith(prefix) ? message.slice(prefix.length) : message;
  return new RemoteError(code, plain, { remote_class: remoteClass });
}

/** Whether it is a dictionary with text keys, as the serializers return it. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

function describe(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? 'value without a text form' : String(value);
}
