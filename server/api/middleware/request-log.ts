import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { addressGroup } from '../address-group.ts';
import { peerAddress } from '../checks/credentials.ts';
import type { ApiState } from '../context.ts';
import { TokenBuckets } from '../token-buckets.ts';

/** Requests without a login that are logged individually, for one address a minute. */
const strangersPerMinute = 300;
const untoldMs = 60_000;

/**
 * Numbers each request and logs it, successful reads at debug level. Never the query, a header or a body: they can hold
 * secrets. Of a flood of strangers only the number is logged, once a minute.
 */
export function requestLog(log: Logger, nowMs: () => number): Middleware<ApiState> {
  const strangers = new TokenBuckets({ perMinute: strangersPerMinute, now_ms: nowMs });
  let untold = { count: 0, since_ms: nowMs() };
  return async (ctx, next) => {
    const beginMs = performance.now();
    ctx.state.requestId = randomUUID();
    ctx.state.username = null;
    ctx.state.keyId = null;
    ctx.set('X-Request-Id', ctx.state.requestId);
    await next();
    const isStranger = ctx.state.username === null && ctx.status < 500;
    if (isStranger && strangers.take(addressGroup(peerAddress(ctx))) > 0) {
      untold.count += 1;
      if (nowMs() - untold.since_ms < untoldMs) return;
      log.warn({ count: untold.count }, 'requests without a login were not logged one by one');
      untold = { count: 0, since_ms: nowMs() };
      return;
    }
    log[levelOf(ctx)]({
      method: ctx.method,
      path: ctx.path,
      status: ctx.status,
      ms: Math.round((performance.now() - beginMs) * 10) / 10,
      request_id: ctx.state.requestId,
      user: ctx.state.username,
      key_id: ctx.state.keyId,
    });
  };
}

/** A page makes a hundred requests a minute: its reads would push out of the log what people look for there. */
function levelOf({ method, status }: { method: string; status: number }): 'debug' | 'info' {
  return (method === 'GET' || method === 'HEAD') && status < 400 ? 'debug' : 'info';
}
