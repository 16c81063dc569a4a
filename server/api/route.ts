import type { ReadStream } from 'node:fs';
import type { Actor } from '../auth/actor.ts';
import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '../contract/endpoint.ts';

/** What a handler gets: everything is validated, identifiers are in lower case, the actor holds the endpoint's access. */
export interface RouteRequest<E> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  actor: Actor;
  requestId: string;
  /** Aborted when the client goes away. */
  signal: AbortSignal;
  /** A request header by its lower-case name, e.g. if-none-match or last-event-id. */
  header: (name: string) => string | undefined;
}

/** An answer with another status than the endpoint's first, or with headers. */
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

/** JSON made once by the handler (cached or built by SQLite), sent as it is. */
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
  Answer | Reply<Answer | RawJson | RawBytes | RawFile | AsyncIterable<string>> | RawJson | AsyncIterable<string>;

export interface Route {
  endpoint: Endpoint;
  /** Answers a `Handled` of the endpoint's answer, which defineRoute has checked. */
  handle: (request: RouteRequest<Endpoint>) => unknown;
  /** A body of more bytes comes as it arrived, neither parsed nor validated: a thread of its own will do that. */
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

/** The same where a file may come in a form: its bytes stand where JSON has the text. */
export function defineFileRoute<E extends Endpoint>(
  endpoint: E,
  handle: (
    request: Omit<RouteRequest<E>, 'body'> & { body: { file: string | Uint8Array } },
  ) => Handled<AnswerOf<E>> | Promise<Handled<AnswerOf<E>>>,
): Route {
  return { endpoint, handle: handle as Route['handle'] }; // as in defineRoute
}

/** A larger body would hold up every other request for tens of milliseconds while it is parsed and validated. */
const largeBodyBytes = 512 * 1024;

/** The same where a large body comes as bytes: the handler parses and validates them elsewhere. */
export function defineLargeRoute<E extends Endpoint>(
  endpoint: E,
  handle: (
    request: Omit<RouteRequest<E>, 'body'> & { body: BodyOf<E> | Uint8Array },
  ) => Handled<AnswerOf<E>> | Promise<Handled<AnswerOf<E>>>,
): Route {
  return { endpoint, handle: handle as Route['handle'], takesBytesAbove: largeBodyBytes }; // as in defineRoute
}
