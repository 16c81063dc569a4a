/** unreachable: nothing was sent; interrupted: it broke off afterwards, so that nobody knows what was done with it. */
export type OutboundCode =
  'invalid_address' | 'refused_address' | 'unreachable' | 'interrupted' | 'timed_out' | 'too_large';

/** A request that did not get an answer; the message can be shown to who set the address. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly code: OutboundCode;

  constructor(code: OutboundCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/**
 * `paused`: nothing was asked, for its pace is spent or it failed too often; `key_refused`: 401, 403; `quota_spent`: 429; `absent`: 204, 404,
 * 410, it has nothing there; `refused`: other 4xx; `failed`: all else but 200; `wrong_answer`: type, redirect or content is not what was asked
 * for.
 */
export type UpstreamCode = 'paused' | 'key_refused' | 'quota_spent' | 'absent' | 'refused' | 'failed' | 'wrong_answer';

/** An outside service answered, but not what was asked for, or may not be asked now. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly code: UpstreamCode;

  constructor(code: UpstreamCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
