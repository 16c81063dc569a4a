import { constants, Http2ServerResponse } from 'node:http2';
import type { ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import { addressGroup } from '../address-group.ts';
import { peerAddress } from '../checks/credentials.ts';
import type { ApiState } from '../context.ts';
import { pauseUnlessGone } from '../gone.ts';
import { Pace } from '../pace.ts';

/** Refusals that one caller gets at once, and then in a second. */
const atOnce = 50;
const perSecond = 50;
const longestMs = 10_000;
/** For all callers; each refusal held takes some 10 kB. */
const mostHeld = 4_000;
/** For one connection: HTTP/2 has 100 streams, and a stop must find one free. */
const mostHeldHere = 30;
/** Missing or wrong credentials; too many requests. */
const refused: readonly number[] = [401, 429];

/**
 * Paces the refusals of callers without a login or beyond a limit: a program that repeats each refused request at once
 * is held up by its own requests, and takes no time from others. When too many refusals wait, over all callers or on
 * one connection, the next request is cut without an answer.
 */
export function slowRefusals(nowMs: () => number): Middleware<ApiState> {
  const pace = new Pace({ perSecond, atOnce, longestMs, now_ms: nowMs });
  const heldHere = new WeakMap<object, number>();
  let held = 0;
  return async (ctx, next) => {
    await next();
    if (!refused.includes(ctx.status)) return;
    const waitMs = pace.take(ctx.state.caller ?? addressGroup(peerAddress(ctx)));
    if (waitMs === 0) return;
    const connection = connectionOf(ctx.res);
    const here = heldHere.get(connection) ?? 0;
    if (held >= mostHeld || here >= mostHeldHere) {
      ctx.respond = false;
      cut(ctx.res);
      return;
    }
    held += 1;
    heldHere.set(connection, here + 1);
    await pauseUnlessGone(ctx.res, waitMs);
    held -= 1;
    heldHere.set(connection, (heldHere.get(connection) ?? 1) - 1);
  };
}

/** The HTTP/2 session of an answer, or its socket. */
function connectionOf(response: ServerResponse): object {
  const either: unknown = response;
  return (either instanceof Http2ServerResponse ? either.stream.session : response.socket) ?? response;
}

function cut(response: ServerResponse): void {
  const either: unknown = response;
  if (either instanceof Http2ServerResponse) either.stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  else response.destroy();
}
