import type { CheckOverview } from '../../../server/contract/commissioning.ts';

/** Sensors drift and drives wear within a season: the house is due again after so long. */
const yearMs = 365 * 86_400_000;

export type CommissioningDue = 'never' | 'unfinished' | 'unjudged' | 'held' | 'changed' | 'old';

/** Why a house is to be commissioned, by its latest check and how many sensors and actuators are bound; null while it is not. */
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
