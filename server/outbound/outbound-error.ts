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
