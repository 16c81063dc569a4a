import { createHash } from 'node:crypto';
import type { Middleware } from 'koa';
import type { ApiState } from './context.ts';

/** A fixed document that anyone may read, whatever the Accept: the CA, the API's description and its page. */
export interface Document {
  type: string;
  content: string | Buffer;
  headers?: Record<string, string>;
}

/** Serves documents by path, with ETag and 304. `find` is called at each request, so that a document can change. */
export function serveDocuments(find: (path: string) => Document | undefined): Middleware<ApiState> {
  return async (ctx, next) => {
    const document = ctx.method === 'GET' || ctx.method === 'HEAD' ? find(ctx.path) : undefined;
    if (!document) {
      await next();
      return;
    }
    ctx.set({ 'Cache-Control': 'no-cache', ETag: etagOf(document), ...document.headers });
    ctx.set('Content-Type', document.type);
    ctx.status = 200;
    if (ctx.fresh) ctx.status = 304;
    else ctx.body = document.content;
  };
}

const etags = new WeakMap<Document, string>();

function etagOf(document: Document): string {
  const known = etags.get(document);
  if (known) return known;
  const etag = `"${createHash('sha256').update(document.content).digest('base64url')}"`;
  etags.set(document, etag);
  return etag;
}
