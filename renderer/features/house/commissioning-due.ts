import type { CheckOverview } from '../../../server/contract/commissioning.ts';

/** Sensors drift and drives wear within a season: a check is due again after this time. */
const yearMs = 365 * 86_400_000;

export type CommissioningDue = 'never' | 'unfinished' | 'unjudged' | 'held' | 'changed' | 'old';

/**
 * Why a house is due for commissioning, from its latest check and its number of bound sensors and actuators; null when
 * it is not.
 */
export function commissioningDue(
  latest: CheckOverview | undefined,
  bound: number,
  nowMs: number,
): CommissioningDue | null {
  if (bound === 0) return null;
  if (latest === undefined) return 'never';
  const { status, ended_at, summary, progress } = latest;
  if (status === 'running') return null;
  if (status === 'awaiting_verdict') return 'unjudged';
  if (status !== 'completed') return 'unfinished';
  if (summary.held > 0) return 'held';
  if (progress.total < bound) return 'changed';
  return ended_at !== null && nowMs - Date.parse(ended_at) > yearMs ? 'old' : null;
}
