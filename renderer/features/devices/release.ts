import type { OutputChannelState } from '../../../server/contract/output.ts';

/**
 * What the release of a channel ends: an override, also by hand without an end, or a command by hand that still waits;
 * null when there is nothing to release.
 */
export function releasable(
  { override_until, source, kept }: Pick<OutputChannelState, 'override_until' | 'source' | 'kept'>,
  nowMs: number,
): 'override' | 'kept' | null {
  const isOverridden = override_until !== null && Date.parse(override_until) > nowMs;
  if (isOverridden || (source === 'manual' && kept === undefined)) return 'override';
  return kept?.source === 'manual' ? 'kept' : null;
}
