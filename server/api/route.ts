import type { ReadStream } from 'node:fs';
import type { Actor } from '../auth/actor.ts';
import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '../contract/endpoint.ts';

/**
 * The argument of a handler: everything is validated, identifiers are in lower case, the actor has the endpoint's
 * access.
 */
export interface RouteRequest<E> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  actor: Actor;
  requestId: string;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** A request header by its lower-case name, e.g. if-none-match or last-event-id. */
  header: (name: string) => string | undefined;
}

/** An answer with a status other than the endpoint's first, or with headers. */
export class Reply<Answer> {
  readonly status: number;
  readonly body: Answer | undefined;
  readonly headers: Record<string, string | string[]>;

  constructor(status: number, body: Answer | undefined, headers: Record<string, string | string[]> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Ready-made JSON (cached or built by SQLite), sent as it is. */
export class RawJson {
  readonly text: string | Buffer;

  constructor(text: string | Buffer) {
    this.text = text;
  }
}

/** A picture of a media type that its endpoint's stream allows. */
export class RawBytes {
  readonly bytes: Buffer;
  readonly type: string;

  constructor(bytes: Buffer, type: string) {
    this.bytes = bytes;
    this.type = type;
  }
}

/** A file of any size, sent as it is read. */
export class RawFile {
  readonly stream: ReadStream;
  readonly bytes: number;

  constructor(stream: ReadStream, bytes: number) {
    this.stream = stream;
    this.bytes = bytes;
  }
}

type Handled<Answer> =
  | Answer
  | Reply<Answer | RawJson | RawBytes | RawFile | AsyncIterable<string>>
  | RawJson
  | AsyncIterable<string>;

export interface Route {
  endpoint: Endpoint;
  /** Returns a `Handled` of the endpoint's answer, as defineRoute has checked. */
  handle: (request: RouteRequest<Endpoint>) => unknown;
  /** A larger body, bytes, is passed as it arrived, neither parsed nor validated: a separate thread does that. */
  takesBytesAbove?: number;
}

/** Joins an endpoint of the contract with its handler. */
export function defineRoute<E extends Endpoint>(
  endpoint: E,
  handle: (request: RouteRequest<E>) => Handled<AnswerOf<E>> | Promise<Handled<AnswerOf<E>>>,
): Route {
  // The validator has parsed params, query and body by this endpoint's schemas before it calls the handler.
  return { endpoint, handle: handle as Route['handle'] };
}

/** The same for a file that may come in a form: its bytes take the place of the JSON text. */
export function defineFileRoute<E extends Endpoint>(
  endpoint: E,
  handle: (
    request: Omit<RouteRequest<E>, 'body'> & { body: { file: string | Uint8Array } },
  ) => Handled<AnswerOf<E>> | Promise<Handled<AnswerOf<E>>>,
): Route {
  return { endpoint, handle: handle as Route['handle'] }; // as in defineRoute
}

/** Parsing and validating a larger body would delay every other request by tens of milliseconds. */
const largeBodyBytes = 512 * 1024;

/** The same with large bodies as bytes: the handler parses and validates them elsewhere. */
export function defineLargeRoute<E extends Endpoint>(
  endpoint: E,
  handle: (
    request: Omit<RouteRequest<E>, 'body'> & { body: BodyOf<E> | Uint8Array },
  ) => Handled<AnswerOf<E>> | Promise<Handled<AnswerOf<E>>>,
): Route {
  return { endpoint, handle: handle as Route['handle'], takesBytesAbove: largeBodyBytes }; // as in defineRoute
}
