import { constants, Http2ServerResponse } from 'node:http2';
import type { ServerResponse } from 'node:http';
import type { Middleware } from 'koa';
import { addressGroup } from '../address-group.ts';
import { peerAddress } from '../checks/credentials.ts';
import type { ApiState } from '../context.ts';
import { pauseUnlessGone } from '../gone.ts';
import { Pace } from '../pace.ts';

/** What one caller is refused at once, and after that a second. */
const atOnce = 50;
const perSecond = 50;
const longestMs = 10_000;
/** Of all callers; each holds some 10 kB. */
const mostHeld = 4_000;
/** No login, or none that is right; too many requests. */
const refused: readonly number[] = [401, 429];

/**
 * Tells those who have no login, or have spent a limit, so at a pace: a program that asks again as soon as it is refused is held by its own requests, and
 * takes no time from others. Where too many wait for their refusal, the next is cut without one.
 */
export function slowRefusals(now_ms: () => number): Middleware<ApiState> {
  const pace = new Pace({ perSecond, atOnce, longestMs, now_ms });
  let held = 0;
  return async (ctx, next) => {
    await next();
    if (!refused.includes(ctx.status)) return;
    const waitMs = pace.take(ctx.state.caller ?? addressGroup(peerAddress(ctx)));
    if (waitMs === 0) return;
    if (held >= mostHeld) {
      ctx.respond = false;
      cut(ctx.res);
      return;
    }
    held += 1;
    await pauseUnlessGone(ctx.res, waitMs);
    held -= 1;
  };
}

function cut(response: ServerResponse): void {
  const either: unknown = response;
  if (either instanceof Http2ServerResponse) either.stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
  else response.destroy();
}
