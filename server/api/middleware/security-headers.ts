import type { Middleware } from 'koa';
import helmet from 'koa-helmet';
import { contentSecurityPolicy } from 'helmet';
import type { ApiContext, ApiState } from '../context.ts';

type Directives = Record<string, readonly string[]>;

/** Everything comes from this service; maps and charts draw from data: and blob: URLs they made themselves. */
const directives = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:', 'blob:'],
  fontSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  workerSrc: ["'self'", 'blob:'],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'self'"],
} satisfies Directives;

/**
 * No HSTS: it would bind every other service on this host. `same-origin`: with no-referrer, form posts lose their
 * Origin.
 */
export function securityHeaders(): Middleware<ApiState> {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives },
    strictTransportSecurity: false,
    referrerPolicy: { policy: 'same-origin' },
  });
}

/** Lets the page about to be sent hold style elements that carry the nonce. */
export function allowStyles(ctx: ApiContext, nonce: string): void {
  const withNonce = { ...directives, styleSrc: [...directives.styleSrc, `'nonce-${nonce}'`] };
  contentSecurityPolicy({ useDefaults: false, directives: withNonce })(ctx.req, ctx.res, (error) => {
    if (error instanceof Error) throw error;
  });
}
