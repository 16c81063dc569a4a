import type { CheckItem, CommissioningCheck, ItemRetest } from '../../contract/commissioning.ts';

/** It has neither a finding nor a verdict. */
export function isUndecided({ result, verdict }: Pick<CheckItem, 'result' | 'verdict'>): boolean {
  return (result === 'inconclusive' || result === 'skipped') && verdict === 'none';
}

/** Resets undecided items; their earlier findings are kept beside. */
export function beginAgain(check: CommissioningCheck, now: Pick<ItemRetest, 'at' | 'by'>): void {
  for (const item of check.items.filter(isUndecided)) {
    const { result, message, findings, checks, evidence } = item;
    const former = { result, message, ...(findings && { findings }), checks, evidence };
    item.retests = [...(item.retests ?? []), { ...now, former }];
    Object.assign(item, { result: 'pending', message: '', findings: [], checks: [], evidence: null });
  }
}

/** Whether the running part of a check is a retest. */
export function isRetested({ items }: CommissioningCheck): boolean {
  return items.some(({ retests }) => retests !== undefined);
}

const open: ReadonlySet<string> = new Set(['pending', 'running', 'inconclusive', 'skipped']);

/** Restores the earlier findings of everything that a retest, ended early, did not decide. */
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
