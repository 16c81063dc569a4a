import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { ApiState } from '../context.ts';

/** Numbers each request and logs it. Never the query, a header or a body: they can hold secrets. */
export function requestLog(log: Logger): Middleware<ApiState> {
  return async (ctx, next) => {
    const begin_ms = performance.now();
    ctx.state.requestId = randomUUID();
    ctx.state.username = null;
    ctx.state.keyId = null;
    ctx.set('X-Request-Id', ctx.state.requestId);
    await next();
    log.info({
      method: ctx.method,
      path: ctx.path,
      status: ctx.status,
      ms: Math.round((performance.now() - begin_ms) * 10) / 10,
      request_id: ctx.state.requestId,
      user: ctx.state.username,
      key_id: ctx.state.keyId,
    });
  };
}
