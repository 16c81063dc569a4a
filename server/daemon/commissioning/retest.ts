import type { CheckItem, CommissioningCheck, ItemRetest } from '../../contract/commissioning.ts';

/** Nothing was found of it, and nobody judged it. */
export function isUndecided({ result, verdict }: Pick<CheckItem, 'result' | 'verdict'>): boolean {
  return (result === 'inconclusive' || result === 'skipped') && verdict === 'none';
}

/** Makes ready what is undecided; what was found of it stays beside it. */
export function beginAgain(check: CommissioningCheck, now: Pick<ItemRetest, 'at' | 'by'>): void {
  for (const item of check.items.filter(isUndecided)) {
    const { result, message, findings, checks, evidence } = item;
    const former = { result, message, ...(findings && { findings }), checks, evidence };
    item.retests = [...(item.retests ?? []), { ...now, former }];
    Object.assign(item, { result: 'pending', message: '', findings: [], checks: [], evidence: null });
  }
}

/** Whether what runs of a check is a test again. */
export function isRetested({ items }: CommissioningCheck): boolean {
  return items.some(({ retests }) => retests !== undefined);
}

const open: ReadonlySet<string> = new Set(['pending', 'running', 'inconclusive', 'skipped']);

/** Brings back what was found before of all that the test again, which ended early, did not decide. */
export function giveUp(check: CommissioningCheck): void {
  const last = check.items
    .map(({ retests }) => retests?.at(-1)?.at ?? '')
    .toSorted()
    .at(-1);
  for (const item of check.items) {
    const { retests = [], result } = item;
    const own = retests.at(-1);
    if (own === undefined || own.at !== last || !open.has(result)) continue;
    Object.assign(item, own.former);
    item.retests = retests.slice(0, -1);
    if (item.retests.length === 0) delete item.retests;
  }
}
