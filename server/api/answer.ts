import { Readable } from 'node:stream';
import { type Endpoint, mediaType } from '../contract/endpoint.ts';
import type { ApiContext } from './context.ts';
import { RawBytes, RawFile, RawJson, Reply } from './route.ts';

/** The result of a handler, taken apart. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[]>;
  body: unknown;
}

export function answerOf(endpoint: Endpoint, handled: unknown): Answer {
  if (handled instanceof Reply) return { status: handled.status, headers: handled.headers, body: handled.body };
  return { status: endpoint.statuses[0] ?? 200, headers: {}, body: handled };
}

/** Sends an answer as the endpoint declares it: JSON of the media type, ready-made JSON, or a stream. */
export function sendAnswer(ctx: ApiContext, endpoint: Endpoint, answer: Answer): void {
  ctx.set('Content-Type', answer.body instanceof RawBytes ? answer.body.type : contentType(endpoint));
  ctx.set(answer.headers);
  if (!ctx.response.get('Cache-Control')) {
    ctx.set('Cache-Control', ctx.response.get('ETag') ? 'private, no-cache' : 'no-store');
  }
  // An empty body makes Koa choose a status of its own, so the status comes after it.
  ctx.body = answer.body === undefined ? null : sendable(ctx, endpoint, answer.body);
  ctx.status = answer.status;
  if (answer.body instanceof RawFile) ctx.length = answer.body.bytes;
}

function contentType(endpoint: Endpoint): string {
  if (endpoint.stream === undefined) return mediaType;
  return endpoint.stream.startsWith('text/') ? `${endpoint.stream}; charset=utf-8` : endpoint.stream;
}

function sendable(ctx: ApiContext, endpoint: Endpoint, body: unknown): string | Buffer | Readable {
  if (body instanceof RawJson) return body.text;
  if (body instanceof RawBytes) return body.bytes;
  if (body instanceof RawFile) return body.stream;
  if (isTextStream(body)) {
    // A HEAD request gets no events, and neither does a client that has gone meanwhile.
    return ctx.method === 'HEAD' ? '' : Readable.from(body, { objectMode: false });
  }
  if (endpoint.stream !== undefined && typeof body === 'string') return body;
  return JSON.stringify(body);
}

export function isTextStream(body: unknown): body is AsyncIterable<string> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
