import type { Pending, Recorded } from '../../db/repositories/map-history.ts';
import { changesOf, type FeatureChange, type Prepared } from './change.ts';
import { livingMap } from './conflict.ts';
import { refuseOtherMaps, refuseTooMany, refuseUsedShapes } from './revision-checks.ts';
import { conclude, record, recordOne, type UnderSave } from './revision.ts';
import { inSlices, unflushed, untilDone, type Slices } from './slices.ts';
import type { MapStore } from './store.ts';

/** A large change whose revision is claimed: until it ends nothing else changes the map. */
export interface Staged<Done> {
  /** Id of the save in the history. */
  id: number;
  prepared: Prepared<Done>;
}

/** Claims the next revision of a map for a large change; the caller holds the write transaction. */
export function claim<Done>(store: MapStore, prepared: Prepared<Done>): Staged<Done> {
  const { map, change } = prepared;
  refuseTooMany(map, change);
  refuseUsedShapes(store, map, change);
  return { id: record(store, prepared), prepared };
}

/**
 * Writes a large change beside the present state, under its claimed revision, which the last transaction makes the
 * map's. A crash before that leaves the map as it was, and `dropPending` removes what was written.
 */
export function writeStaged<Done>(store: MapStore, slices: Slices, { id, prepared }: Staged<Done>): Done {
  const { map, change, author, done, goesOn } = prepared;
  const revision = map.revision + 1;
  const under = {
    historyId: id,
    by: { map_uuid: map.map_uuid, changed_by: author.user_id, changed_revision: revision },
  };
  try {
    unflushed(store.db, () =>
      inSlices(slices, changesOf(change), {
        write: (one) => {
          goesOn?.();
          stage(store, one, under);
        },
      }),
    );
    const tell = done(revision);
    return slices.turn(() => {
      if (store.history.pendingOf(map.map_uuid)?.id !== id) throw new Error('what was written was taken away');
      livingMap(store, map.map_uuid);
      refuseUsedShapes(store, map, change); // a facility may have been made meanwhile
      store.designs.markSaved(map.map_uuid);
      conclude(store, prepared);
      return tell();
    });
  } catch (error) {
    giveUp(store, slices, { id, map_uuid: map.map_uuid, revision });
    throw error;
  }
}

function stage(store: MapStore, one: FeatureChange, { historyId, by }: UnderSave): void {
  recordOne(store, one, historyId);
  if (one.kind !== 'added') store.overlays.replace(one.before, by.changed_revision);
  if (one.kind === 'deleted') return;
  refuseOtherMaps(store, by.map_uuid, one.after);
  store.overlays.insert(one.after, by, one.kind === 'modified' ? one.before.ordinal : null);
}

/** If this fails too, as on a full disk, the next task does it. */
function giveUp(store: MapStore, slices: Slices, pending: Pending): void {
  try {
    dropPending(store, slices, pending);
  } catch {
    // The error of the save is more informative.
  }
}

/**
 * Removes what an unfinished save wrote. Each turn checks again: a worker that was ended in its last commit may still
 * have completed it.
 */
function dropPending(store: MapStore, slices: Slices, pending: Pending): void {
  const { overlays, history } = store;
  const { id, map_uuid, revision } = pending;
  const isPending = (): boolean => history.pendingOf(map_uuid)?.id === id;
  const write = (one: Recorded): void => {
    if (one.kind !== 'deleted') overlays.remove(one.unique_id);
    if (one.kind !== 'added') overlays.restore(one.unique_id, map_uuid, revision);
    history.forgetReplaced(one.id);
  };
  unflushed(store.db, () => {
    let some = history.recorded(id);
    while (some.length > 0 && inSlices(slices, some, { write, goesOn: isPending })) some = history.recorded(id);
  });
  slices.turn(() => {
    if (isPending()) history.forget(id);
  });
}

/** Removes what unfinished saves left; called when none is under way. */
export function dropAllPending(store: MapStore): void {
  const { slices, history } = store;
  if (slices === undefined) return;
  for (const pending of history.pending()) dropPending(store, slices, pending);
}

/** Whether `tidyMaps` has anything to do, or a save is under way. */
export function isUntidy({ overlays, history }: MapStore): boolean {
  return history.pending().length > 0 || overlays.hasReplaced();
}

/** Removes what is not visible: what saves replaced or left unfinished. Recounts the features of each map. */
export function tidyMaps(store: MapStore): void {
  const { slices, overlays, designs } = store;
  if (slices === undefined) return;
  dropAllPending(store);
  unflushed(store.db, () => {
    untilDone(slices, () => overlays.sweep());
  });
  for (const wrong of designs.miscounted()) slices.turn(() => designs.recount(wrong));
}
