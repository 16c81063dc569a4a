import type { CheckItem, ItemResult } from '../../../server/contract/commissioning.ts';

/** What needs attention first. */
const urgency: readonly ItemResult[] = ['fail', 'error', 'timeout', 'warn', 'inconclusive', 'skipped'];

/** Faults first, then undecided items, then the rest in the order of binding. */
export function faultsFirst<Item extends Pick<CheckItem, 'result'>>(items: readonly Item[]): Item[] {
  const rank = ({ result }: Item): number => (urgency.includes(result) ? urgency.indexOf(result) : urgency.length);
  return items.toSorted((one, other) => rank(one) - rank(other));
}

type Judged = Pick<CheckItem, 'device_id' | 'channel' | 'result' | 'verdict'>;

/**
 * One item for each channel that was found OK and is not judged yet. A verdict counts for all of a channel, so one with
 * anything else on it is judged by hand.
 */
export function approvable<Item extends Judged>(items: readonly Item[]): Item[] {
  const byChannel = Map.groupBy(items, ({ device_id, channel }) => `${device_id}:${channel}`);
  return [...byChannel.values()].flatMap((all) =>
    all.every(({ result, verdict }) => result === 'ok' && verdict === 'none') ? all.slice(0, 1) : [],
  );
}
