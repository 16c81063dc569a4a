import { createHash, timingSafeEqual } from 'node:crypto';
import { Refusal } from '../../contract/errors.ts';
import type { ApiContext } from '../context.ts';

/** Refuses a modifying request that another site's page made. Throws `origin_refused`. */
export function checkOrigin(ctx: ApiContext): void {
  const origin = ctx.get('Origin');
  if (origin && origin !== `https://${ctx.host}`)
    throw new Refusal('origin_refused', 'the request comes from another site');
}

/** Refuses a modifying request by cookie that does not carry the session's token. Throws `csrf_failed`. */
export function checkCsrfToken(ctx: ApiContext, expected: string): void {
  if (!timingSafeEqual(digest(ctx.get('X-CSRF-Token')), digest(expected))) {
    throw new Refusal('csrf_failed', "send the session's csrf_token as X-CSRF-Token");
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
