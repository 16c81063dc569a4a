import { readTogether, transactor } from '../../db/transaction.ts';
import { sizeOf, type Prepared } from './change.ts';
import { MapMoved, refuseMoved, writeRevision } from './revision.ts';
import type { Slices } from './slices.ts';
import { claim, writeStaged, type Staged } from './staged.ts';
import type { MapStore } from './store.ts';

/**
 * Writes a change as the next revision of a map and keeps what it replaced; an empty change writes nothing. Readers see
 * all of it or nothing. `prepare` only reads, and is called again if the map changes meanwhile; it may also answer at
 * once. Refuses with shape_in_use, feature_of_other_map, already_placed, payload_too_large.
 */
export function revise<Done>(store: MapStore, prepare: () => Prepared<Done> | { answer: Done }): Done {
  const { slices } = store;
  if (slices === undefined) return transactor(store.db)(() => written(store, prepare()));
  const begun = begin(store, slices, prepare);
  return 'answer' in begun ? begun.answer : writeStaged(store, slices, begun);
}

/**
 * How often a change is worked out while others may write; after that they wait, or small saves of the map could go
 * first for ever.
 */
const freeTries = 2;

/** Writes a change that is not large, and claims the revision for one that is. */
function begin<Done>(
  store: MapStore,
  slices: Slices,
  prepare: () => Prepared<Done> | { answer: Done },
): Staged<Done> | { answer: Done } {
  const take = (prepared: Prepared<Done> | { answer: Done }): Staged<Done> | { answer: Done } =>
    'change' in prepared && sizeOf(prepared.change) > slices.least
      ? claim(store, prepared)
      : { answer: written(store, prepared) };
  for (let tries = 0; tries < freeTries; tries += 1) {
    const prepared = readTogether(store.db, prepare);
    if ('answer' in prepared) return prepared;
    try {
      return slices.turn(() => {
        refuseMoved(store, prepared.map);
        return take(prepared);
      });
    } catch (error) {
      if (!(error instanceof MapMoved)) throw error;
    }
  }
  return slices.turn(() => take(prepare()));
}

function written<Done>(store: MapStore, prepared: Prepared<Done> | { answer: Done }): Done {
  return 'answer' in prepared ? prepared.answer : prepared.done(writeRevision(store, prepared))();
}
