import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { isRefusal, Refusal } from '../../contract/errors.ts';
import { ContractBroken } from '../answer-check.ts';
import { isOfGate } from '../../services/proxy/refusal.ts';
import type { StorageService } from '../../services/record/storage.ts';
import type { ApiState } from '../context.ts';
import { dropUnreadBody } from '../unread-body.ts';
import { problemBody, problemType } from '../problem-body.ts';

/**
 * Turns a thrown value into a problem body. Anything but a Refusal or a storage fault is our own fault: logged whole,
 * shown without internals.
 */
export function problems(log: Logger, storage?: StorageService): Middleware<ApiState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const refusal = isRefusal(error) ? error : (storage?.refusal(error) ?? fault(error));
      // An outside service that is away is no fault of this one; the gate to it logs when that begins.
      if (refusal.status >= 500 && !isOfGate(refusal))
        log.error({ err: error, request_id: ctx.state.requestId }, 'a request failed');
      dropUnreadBody(ctx, refusal.code === 'payload_too_large');
      ctx.remove('ETag');
      ctx.set(refusal.headers);
      ctx.set('Cache-Control', 'no-store');
      ctx.set('Content-Type', problemType);
      ctx.status = refusal.status;
      ctx.body = JSON.stringify(problemBody(refusal, ctx.state.requestId));
    }
  };
}

function fault(error: unknown): Refusal {
  // Thrown only when answers are checked, in development and tests.
  const detail = error instanceof ContractBroken ? error.message : 'the request could not be answered';
  return new Refusal('internal_error', detail, { cause: error });
}
