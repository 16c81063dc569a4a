/** unreachable: nothing was sent; interrupted: it broke off afterwards, so what was done with it is unknown. */
export type OutboundCode =
  | 'invalid_address'
  | 'refused_address'
  | 'unreachable'
  | 'interrupted'
  | 'timed_out'
  | 'too_large';

/** A request without an answer; the message may be shown to the person who set the address. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly code: OutboundCode;

  constructor(code: OutboundCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/**
 * `paused`: nothing was asked, as its rate is used up or it failed too often; `key_refused`: 401, 403; `quota_spent`:
 * 429; `absent`: 204, 404, 410, it has nothing there; `refused`: other 4xx; `failed`: all else but 200; `wrong_answer`:
 * type, redirect or content differ from what was asked for.
 */
export type UpstreamCode = 'paused' | 'key_refused' | 'quota_spent' | 'absent' | 'refused' | 'failed' | 'wrong_answer';

/** An outside service gave an unusable answer, or may not be asked now. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError';
  readonly code: UpstreamCode;

  constructor(code: UpstreamCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
