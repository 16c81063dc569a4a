import { constants, Http2ServerRequest } from 'node:http2';
import type { ApiContext } from './context.ts';

/**
 * Stops the upload of a refused request's body. HTTP/2 would otherwise keep the stream open with what it holds; HTTP/1
 * reads to the end, which only a body above the limit is denied.
 */
export function dropUnreadBody(ctx: Pick<ApiContext, 'req' | 'set'>, isTooLarge: boolean): void {
  const request: unknown = ctx.req;
  if (request instanceof Http2ServerRequest) {
    const { stream } = request;
    // After the whole answer, as RFC 9113, 8.1 allows.
    if (!request.complete) stream.once('finish', () => stream.close(constants.NGHTTP2_NO_ERROR));
  } else if (isTooLarge) {
    ctx.set('Connection', 'close');
  }
}
