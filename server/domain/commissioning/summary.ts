import type { CheckItem, CheckSummary, ItemResult } from '../../contract/commissioning.ts';

/** Items by result and by verdict. */
export function summarise(items: readonly Pick<CheckItem, 'result' | 'verdict'>[]): CheckSummary {
  const results: Partial<Record<ItemResult, number>> = {};
  for (const { result } of items) results[result] = (results[result] ?? 0) + 1;
  const verdicts = (verdict: CheckItem['verdict']): number => items.filter((item) => item.verdict === verdict).length;
  return { results, approved: verdicts('approved'), held: verdicts('held'), unjudged: verdicts('none') };
}
