import { facilityLinks } from '../../db/repositories/facility-links.ts';
import { answersKeptMs } from './save.ts';
import type { MapStore } from './store.ts';

const emptyMapKeptMs = 24 * 60 * 60 * 1000;
const trashKeptMs = 30 * 24 * 60 * 60 * 1000;

/** Maps due for removal at a time in epoch ms: empty, never saved and a day old, or 30 days in the trash. */
export function expiredMaps({ designs }: MapStore, now: number): string[] {
  return designs.expired({ made: before(now, emptyMapKeptMs), deleted: before(now, trashKeptMs) });
}

/**
 * Removes for good what is due at a time in epoch ms: expired maps with their facilities and history, and answers kept
 * a day for repeats of a save. One transaction; returns the ids of the maps.
 */
export function purgeMaps(store: MapStore, now: number): string[] {
  return store.db
    .transaction(() => {
      const expired = expiredMaps(store, now);
      for (const id of expired) {
        facilityLinks.purgeFacilitiesOfMap(store.db, id);
        store.designs.remove(id);
      }
      store.history.forgetAnswers(before(now, answersKeptMs));
      return expired;
    })
    .immediate();
}

function before(now: number, keptMs: number): string {
  return new Date(now - keptMs).toISOString();
}
