import { isRefusal, Refusal, type ErrorCode } from '../../contract/errors.ts';
import { OutboundError, UpstreamError, type OutboundCode, type UpstreamCode } from '../../outbound/outbound-error.ts';

const codes: Readonly<Record<OutboundCode | UpstreamCode, ErrorCode>> = {
  invalid_address: 'provider_unreachable',
  refused_address: 'provider_unreachable',
  unreachable: 'provider_unreachable',
  interrupted: 'provider_unreachable',
  timed_out: 'provider_timeout',
  too_large: 'provider_answer_invalid',
  paused: 'provider_paused',
  key_refused: 'provider_key_refused',
  quota_spent: 'provider_quota_spent',
  absent: 'provider_refused',
  refused: 'provider_refused',
  failed: 'provider_failed',
  wrong_answer: 'provider_answer_invalid',
};

/** An outside error as a refusal; null for an error of our own. */
export function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof OutboundError) && !(error instanceof UpstreamError)) return null;
  return new Refusal(codes[error.code], error.message, { cause: error });
}

/** Whether the gate to an outside service refused it, which logs it too. */
export function isOfGate({ cause }: Refusal): boolean {
  return cause instanceof OutboundError || cause instanceof UpstreamError;
}

/** Whether the provider merely has nothing there. */
export function saysAbsent(error: unknown): boolean {
  return isRefusal(error) && error.cause instanceof UpstreamError && error.cause.code === 'absent';
}

/** A provider that is off or incomplete; `setting` is the path of what to set. */
export function notConfigured(setting: string, what: string): Refusal {
  return new Refusal('provider_not_configured', `${what} (${setting})`, { members: { setting } });
}
