import { trashDays } from '../../contract/identifier.ts';
import { facilityLinks } from '../../db/repositories/facility-links.ts';
import { answersKeptMs } from './save.ts';
import type { MapStore } from './store.ts';

const emptyMapKeptMs = 24 * 60 * 60 * 1000;
const trashKeptMs = trashDays * 24 * 60 * 60 * 1000;

/** Maps due for removal at a time in epoch ms: empty, never saved and a day old, or `trashDays` in the trash. */
export function expiredMaps({ designs }: MapStore, nowMs: number): string[] {
  return designs.expired({ made: before(nowMs, emptyMapKeptMs), deleted: before(nowMs, trashKeptMs) });
}

/**
 * Removes for good what is due at a time in epoch ms: expired maps with their facilities and history, and answers kept
 * a day for repeats of a save. One transaction; returns the ids of the maps.
 */
export function purgeMaps(store: MapStore, nowMs: number): string[] {
  return store.db
    .transaction(() => {
      const expired = expiredMaps(store, nowMs);
      for (const id of expired) {
        facilityLinks.purgeFacilitiesOfMap(store.db, id);
        store.designs.remove(id);
      }
      store.history.forgetAnswers(before(nowMs, answersKeptMs));
      return expired;
    })
    .immediate();
}

function before(nowMs: number, keptMs: number): string {
  return new Date(nowMs - keptMs).toISOString();
}
