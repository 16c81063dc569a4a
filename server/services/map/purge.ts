import { trashDays } from '../../contract/identifier.ts';
import { answersKeptMs } from './save.ts';
import { unflushed, untilDone } from './slices.ts';
import type { MapStore } from './store.ts';

const emptyMapKeptMs = 24 * 60 * 60 * 1000;
const trashKeptMs = trashDays * 24 * 60 * 60 * 1000;

/** Maps due for removal at a time, epoch ms: empty, never saved and a day old, or in the trash for `trashDays`. */
function expiredMaps({ designs }: MapStore, nowMs: number): string[] {
  return designs.expired({ made: before(nowMs, emptyMapKeptMs), deleted: before(nowMs, trashKeptMs) });
}

/** Whether `purgeMaps` has anything to do at a time, epoch ms. */
export function isPurgeDue(store: MapStore, nowMs: number): boolean {
  return store.history.hasAnswers(before(nowMs, answersKeptMs)) || expiredMaps(store, nowMs).length > 0;
}

/**
 * Removes for good what is due at a time, epoch ms: expired maps with their facilities and history, and answers kept
 * for repeats of a save. The maps go with the first transaction, and what belonged to them gradually, also after a
 * crash. Returns the ids of the maps.
 */
export function purgeMaps(store: MapStore, nowMs: number): string[] {
  const { slices, designs, history } = store;
  if (slices === undefined) return [];
  const expired = slices.turn(() => {
    const due = expiredMaps(store, nowMs);
    for (const id of due) designs.markPurged(id, before(nowMs, 0));
    return due;
  });
  unflushed(store.db, () => {
    for (const id of expired) untilDone(slices, () => designs.purgeSome(id));
    untilDone(slices, () => history.forgetAnswers(before(nowMs, answersKeptMs)));
  });
  return expired;
}

function before(nowMs: number, keptMs: number): string {
  return new Date(nowMs - keptMs).toISOString();
}
