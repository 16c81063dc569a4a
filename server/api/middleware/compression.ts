import { constants } from 'node:zlib';
import type { Middleware } from 'koa';
import compress from 'koa-compress';
import type { ApiState } from '../context.ts';

/** Below it a network sends the answer as it is in less time than its compression takes, and no secret is that long. */
const threshold = 32 * 1024; // bytes

/** Light, so that 20 MB take a fraction of a second of a thread that serves nothing else. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** Compresses long JSON for those who take it, outside the server's own thread. Streams and files go as they are. */
export function compression(): Middleware<ApiState> {
  const compressed = compress({
    threshold,
    filter: (type) => /[/+]json$/.test(type),
    br: brotli,
    gzip: { level: 4 },
    deflate: false,
    zstd: false,
  }) as Middleware<ApiState>; // it reads nothing of the state
  return async (ctx, next) => {
    // One that takes nothing at all is answered as if it took what is there (RFC 9110, 12.5.3).
    if (ctx.acceptsEncodings('br', 'gzip', 'identity') === false) await next();
    else await compressed(ctx, next);
    const tag = ctx.response.get('ETag');
    // The same features in other bytes (RFC 9110, 8.8.1).
    if (tag && !tag.startsWith('W/') && ctx.response.get('Content-Encoding')) ctx.set('ETag', `W/${tag}`);
  };
}
