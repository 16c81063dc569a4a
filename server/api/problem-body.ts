import { STATUS_CODES } from 'node:http';
import type { Problem, Refusal } from '../contract/errors.ts';

export const problemType = 'application/problem+json';

/** The RFC 9457 body of a refusal. Members of the refusal never replace the fixed ones. */
export function problemBody(refusal: Refusal, requestId: string): Problem {
  return {
    ...refusal.members,
    type: 'about:blank',
    title: STATUS_CODES[refusal.status] ?? 'Error',
    status: refusal.status,
    code: refusal.code,
    detail: refusal.message,
    ...(refusal.errors && { errors: refusal.errors }),
    request_id: requestId,
  };
}
