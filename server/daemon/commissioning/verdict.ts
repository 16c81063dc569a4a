import { isDeepStrictEqual } from 'node:util';
import type { CheckItem, CheckVerdict, CommissioningCheck } from '../../contract/commissioning.ts';
import { RemoteFailure } from '../../contract/remote/failure.ts';

/**
 * Judges every item of a device, or of one of its channels, and returns the first; an earlier verdict goes into the
 * history, and the same one by the same person changes nothing. Throws RemoteFailure `not_in_check`, `not_judgeable`,
 * `check_completed`.
 */
export function giveVerdict(
  check: CommissioningCheck,
  { device_id, channel, verdict, reason, note }: CheckVerdict,
  { by, at }: { by: string; at: string },
): CheckItem {
  const items = check.items.filter(
    (item) => item.device_id === device_id && (channel === undefined || item.channel === channel),
  );
  const [first] = items;
  if (first === undefined) throw new RemoteFailure('not_in_check', `${device_id} is not in this check`);
  refuseUnlessJudgeable(check);
  const given = { verdict, verdict_reason: reason ?? null, verdict_by: by, note: note ?? '' };
  // A second press says nothing new, and the report is sealed with every verdict.
  for (const item of items.filter((one) => !isSame(one, given))) {
    replaceVerdict(item);
    Object.assign(item, { ...given, verdict_at: at });
  }
  return first;
}

/**
 * Throws RemoteFailure `not_judgeable` for a check that is not fully tested, `check_completed` for one that must be
 * reopened first.
 */
export function refuseUnlessJudgeable({ status }: CommissioningCheck): void {
  if (status === 'awaiting_verdict') return;
  if (status === 'completed') {
    throw new RemoteFailure('check_completed', 'the check is completed: reopen it, with a reason, to judge anew');
  }
  throw new RemoteFailure('not_judgeable', `the check is ${status}: it can be judged when all is tested`);
}

type Given = Pick<CheckItem, 'verdict' | 'verdict_reason' | 'verdict_by' | 'note'>;

function isSame(item: Given, given: Given): boolean {
  const { verdict, verdict_reason, verdict_by, note } = item;
  return isDeepStrictEqual({ verdict, verdict_reason, verdict_by, note }, given);
}

function replaceVerdict(item: CheckItem): void {
  const { verdict, verdict_reason: reason, verdict_by: by, verdict_at: at, note, history } = item;
  if (verdict === 'none' || by === null || at === null) return;
  item.history = [...history, { verdict, reason, note, by, at }];
}
