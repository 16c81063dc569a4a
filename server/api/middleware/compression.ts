import { constants } from 'node:zlib';
import type { Middleware } from 'koa';
import compress from 'koa-compress';
import type { ApiState } from '../context.ts';

/** Below it a network sends the answer in less time than its compression takes, and no secret is that long. */
const threshold = 32 * 1024; // bytes

/**
 * The fastest level, so that a map of 100,000 features opens no later for it: more effort saves a tenth and takes many
 * times as long.
 */
const lightest = {
  zstd: { params: { [constants.ZSTD_c_compressionLevel]: 1 } },
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
};

/**
 * Compresses long JSON for clients that accept it, outside the server's own thread. Streams and files are sent as they
 * are.
 */
export function compression(): Middleware<ApiState> {
  const compressed = compress({
    threshold,
    filter: (type) => /[/+]json$/.test(type),
    ...lightest,
    gzip: { level: 4 },
    deflate: false,
  }) as Middleware<ApiState>; // it reads nothing of the state
  return async (ctx, next) => {
    // A client that accepts no encoding at all gets the answer unencoded (RFC 9110, 12.5.3).
    if (ctx.acceptsEncodings('br', 'gzip', 'identity') === false) await next();
    else await compressed(ctx, next);
    const tag = ctx.response.get('ETag');
    // The same content in other bytes (RFC 9110, 8.8.1).
    if (tag && !tag.startsWith('W/') && ctx.response.get('Content-Encoding')) ctx.set('ETag', `W/${tag}`);
  };
}
