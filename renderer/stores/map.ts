import { createEventHook } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, shallowRef } from 'vue';
import { designEndpoints, type Design, type Layers } from '../../server/contract/design.ts';
import { overlayEndpoints, type Feature } from '../../server/contract/overlay.ts';
import { ApiError } from '../client/api-error.ts';
import { useCall } from '../client/client.ts';
import { Autosave } from '../map/autosave.ts';
import { EditBuffer, idOf, type Conflict, type ConflictSide, type Delta, type Edit } from '../map/edit-buffer.ts';
import type { SaveState } from '../map/save-state.ts';
import { useMapJournal } from './map-journal.ts';

/** The open map: its features with undo, saved by themselves. */
export const useOpenMap = defineStore('map', () => {
  const call = useCall();
  const design = shallowRef<Omit<Design, 'features'> | null>(null);
  const saveState = shallowRef<SaveState>('saved');
  const saveError = shallowRef<unknown>(null);
  const features = shallowRef<Feature[]>([]);
  const conflicts = shallowRef<Conflict[]>([]);
  const history = shallowRef({ canUndo: false, canRedo: false });
  /** Ids of the features to be drawn anew. */
  const changed = createEventHook<{ ids: string[] }>();
  const journal = useMapJournal(edited);
  let buffer = new EditBuffer([], 0);
  let autosave: Autosave | undefined;

  function sendDelta({ added, modified, deleted, revision }: Delta, saveId: string, mapUuid: string) {
    return call(overlayEndpoints.delta, {
      body: { geo_id: mapUuid, added, modified, deleted, revision, save_id: saveId },
    });
  }

  /** Opens a map; the one before is closed, so see to it that it is saved. Throws ApiError. */
  async function open(mapUuid: string): Promise<Design> {
    close();
    const read = await call(designEndpoints.get, { params: { map_uuid: mapUuid } });
    buffer = new EditBuffer(read.features.features, read.revision);
    autosave = new Autosave(buffer, {
      send: (delta, saveId) => sendDelta(delta, saveId, mapUuid),
      read: () => call(overlayEndpoints.get, { query: { geo_id: mapUuid } }),
      newId: () => crypto.randomUUID(),
      later: (run, ms) => {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
      show: (state, error) => {
        saveState.value = state;
        saveError.value = error;
        conflicts.value = buffer.conflicts;
        // While it is being sent it may still not arrive.
        if (state !== 'saving') journal.note();
      },
      replaced: refresh,
    });
    design.value = read;
    refresh([]);
    journal.begin(mapUuid, buffer);
    return read;
  }

  /** Adds features that come from elsewhere at once, as one undo step, or none of them. Throws ApiError, also `conflict` while something is unsaved. */
  async function add(added: Feature[]): Promise<void> {
    await autosave?.flush();
    const mapUuid = design.value?.map_uuid;
    if (mapUuid === undefined || autosave?.isUnsaved === true) throw new ApiError('conflict', 'not saved yet', {});
    await call(overlayEndpoints.delta, { body: { geo_id: mapUuid, added, save_id: crypto.randomUUID() } });
    const read = await call(designEndpoints.get, { params: { map_uuid: mapUuid } });
    if (design.value?.map_uuid !== mapUuid) return;
    follow(read);
    buffer.noteAdded(added.map(idOf));
    refresh([]);
  }

  /** Saves how the layers are shown; of the answer nothing else is taken, for features may have been saved meanwhile. Throws ApiError. */
  async function saveLayers(overlays: NonNullable<Layers['overlays']>): Promise<void> {
    const map_uuid = design.value?.map_uuid;
    if (map_uuid === undefined) return;
    const saved = await call(designEndpoints.save, { body: { map_uuid, layers: { overlays } } });
    if (design.value?.map_uuid === map_uuid) design.value = { ...design.value, layers: saved.layers };
  }

  /** Takes over what the server has now, with nothing unsaved here; undo forgets what it changed. */
  function follow(read: Design): void {
    design.value = read;
    refresh(buffer.rebase(read.features.features, read.revision));
  }

  function close(): void {
    autosave?.stop();
    autosave = undefined;
    buffer = new EditBuffer([], 0);
    design.value = null;
    journal.end();
    saveState.value = 'saved';
    saveError.value = null;
    refresh([]);
  }

  function refresh(ids: string[]): void {
    features.value = buffer.features();
    conflicts.value = buffer.conflicts;
    history.value = { canUndo: buffer.canUndo, canRedo: buffer.canRedo };
    if (ids.length > 0) void changed.trigger({ ids });
  }

  function edited(ids: string[]): void {
    if (ids.length === 0) return;
    refresh(ids);
    journal.note();
    autosave?.touched();
  }

  return {
    design,
    features,
    conflicts,
    saveState,
    saveError,
    canUndo: computed(() => history.value.canUndo),
    canRedo: computed(() => history.value.canRedo),
    onChanged: changed.on,
    left: journal.left,
    settleLeft: journal.settle,
    open,
    close,
    find: (id: string): Feature | undefined => buffer.get(id),
    /** Puts features in place of those with their ids; steps of one key are undone together. */
    put: (put: readonly Feature[], key?: string) => edited(buffer.put(put, key)),
    remove: (ids: readonly string[]) => edited(buffer.remove(ids)),
    /** Both as one undo step. */
    change: (edit: Edit) => edited(buffer.change(edit)),
    undo: () => edited(buffer.undo()),
    redo: () => edited(buffer.redo()),
    add,
    saveLayers,
    follow,
    /** Saves now; afterwards isUnsaved() tells whether it came through. */
    flush: async () => autosave?.flush(),
    isUnsaved: () => autosave?.isUnsaved ?? false,
    /** The revision that is shown. */
    revision: () => buffer.revision,
    resolve: (ids: readonly string[], side: ConflictSide) => {
      const shown = ids.flatMap((id) => buffer.resolve(id, side, crypto.randomUUID()));
      refresh(shown);
      autosave?.touched();
    },
  };
});
