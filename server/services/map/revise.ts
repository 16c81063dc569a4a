import { readTogether, transactor } from '../../db/transaction.ts';
import { sizeOf, type Prepared } from './change.ts';
import { MapMoved, refuseMoved, writeRevision } from './revision.ts';
import { writeStaged } from './staged.ts';
import type { MapStore } from './store.ts';

/**
 * Writes a change as the next revision of a map and keeps what it replaced; a change of nothing writes nothing. Readers see all of it or
 * nothing. `prepare` only reads, and may be called again where the map moves on meanwhile; it may also answer at once. Refuses with
 * shape_in_use, feature_of_other_map, already_placed, payload_too_large.
 */
export function revise<Done>(store: MapStore, prepare: () => Prepared<Done> | { answer: Done }): Done {
  const { slices } = store;
  if (slices === undefined) return transactor(store.db)(() => written(store, prepare()));
  for (;;) {
    const prepared = readTogether(store.db, prepare);
    if ('answer' in prepared) return prepared.answer;
    try {
      if (sizeOf(prepared.change) > slices.least) return writeStaged(store, slices, prepared);
      return slices.turn(() => {
        refuseMoved(store, prepared.map);
        return written(store, prepared);
      });
    } catch (error) {
      if (!(error instanceof MapMoved)) throw error;
    }
  }
}

function written<Done>(store: MapStore, prepared: Prepared<Done> | { answer: Done }): Done {
  return 'answer' in prepared ? prepared.answer : prepared.done(writeRevision(store, prepared));
}
