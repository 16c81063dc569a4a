import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { designEndpoints, type Design, type MapSketch } from '../../server/contract/design.ts';
import type { Layers } from '../../server/contract/design-fields.ts';
import { overlayEndpoints, type Feature, type OverlayChanges } from '../../server/contract/overlay.ts';
import { ApiError, isApiError } from '../client/api-error.ts';
import { useCall } from '../client/client.ts';
import type { Autosave, ServerState } from '../map/autosave.ts';
import { EditBuffer, type ConflictSide, type Edit } from '../map/edit-buffer.ts';
import { Patience, later } from '../map/patience.ts';
import { sizeOf } from '../map/portion.ts';
import { refusedOf, type RefusedShape } from '../map/refused-shape.ts';
import type { SaveState } from '../map/save-state.ts';
import { inSlices } from '../map/slices.ts';
import { useMapBuffer } from './map-buffer.ts';
import { useMapJournal } from './map-journal.ts';
import { savingOf } from './map-saving.ts';

/** The open map: its features with undo, saved automatically. */
export const useOpenMap = defineStore('map', () => {
  const buffered = useMapBuffer();
  const { features, conflicts, canUndo, canRedo, onChanged, current, refresh } = buffered;
  const opened = useOpening({ ...buffered, journal: useMapJournal(edited) });
  const { call, design, saveState, saveError, journal, open, close, autosave } = opened;

  const patience = new Patience(later);

  /**
   * Adds features from elsewhere as one undo step, which following edits of the key join, all or none; a repeat with
   * the same saveId adds nothing more. Throws ApiError: also `conflict` while something is unsaved, and
   * `duplicate_feature` where one is on the map by now, which is then read.
   */
  async function add(added: Feature[], saveId: string, key?: string): Promise<void> {
    const saving = autosave();
    const mapUuid = design.value?.map_uuid;
    await saving?.flush();
    if (mapUuid === undefined || saving?.isUnsaved !== false) throw new ApiError('conflict', 'not saved yet', {});
    try {
      const body = { geo_id: mapUuid, added, save_id: saveId };
      const send = (signal: AbortSignal) => call(overlayEndpoints.delta, { body, signal });
      const saved = await patience.during(send, sizeOf(added));
      if (autosave() === saving) refresh(saving.takeIn(added, saved.revision, key));
    } catch (thrown) {
      if (isApiError(thrown) && thrown.code === 'duplicate_feature') await saving.takeTheirs();
      throw thrown;
    }
  }

  /** Work that must end before the map is left. */
  const held = new Set<Promise<unknown>>();

  /** The map is not left before this has ended. */
  async function whileOpen<T>(work: Promise<T>): Promise<T> {
    held.add(work);
    return work.finally(() => held.delete(work));
  }

  /** Once nothing holds the map open any more. */
  async function whenFree(): Promise<void> {
    while (held.size > 0) await Promise.allSettled(held);
  }

  /** Saves how the layers are shown. Throws ApiError. */
  async function saveLayers(overlays: NonNullable<Layers['overlays']>): Promise<void> {
    const map_uuid = design.value?.map_uuid;
    if (map_uuid === undefined) return;
    const saved = await call(designEndpoints.save, {
      query: { features: false },
      body: { map_uuid, layers: { overlays } },
    });
    if (design.value?.map_uuid === map_uuid) design.value = { ...design.value, layers: saved.layers };
  }

  /**
   * Takes over the server's present state, with nothing unsaved here; undo drops what that changed. It ends the doubts
   * that there were before it was asked for. All is compared first, in slices: nothing is taken over where another
   * state was meanwhile, or where it may not be by then.
   */
  async function follow(read: Design, before = 0, mayTake: () => boolean = () => true): Promise<void> {
    const buffer = current();
    const since = buffer.revision;
    const isStill = (): boolean => current() === buffer && buffer.revision === since && mayTake();
    const changed = await inSlices(buffer.rebase(read.features.features, read.revision, isStill));
    if (changed === null || current() !== buffer) return;
    design.value = read;
    opened.noteWhole(before);
    refresh(changed);
  }

  /** The same by what changed since the displayed revision. */
  function followChanges(changes: OverlayChanges): void {
    opened.takeFields(changes);
    if (design.value !== null) design.value = { ...design.value, revision: changes.revision };
    refresh(current().rebaseChanges(changes));
  }

  /**
   * Edits, as one undo step; consecutive steps with one key are undone together. Returns the first shape that the
   * service would refuse, and with it all that is unsaved: then nothing is edited.
   */
  function change(edit: Edit, key?: string): RefusedShape | null {
    const refused = refusedOf(edit, (id) => current().get(id));
    if (refused === null) edited(current().change(edit, key));
    return refused;
  }

  function edited(ids: string[]): void {
    if (ids.length === 0) return;
    refresh(ids);
    journal.note();
    autosave()?.touched();
  }

  return {
    design,
    features,
    conflicts,
    saveState,
    saveError,
    refusedShape: opened.refusedShape,
    canUndo,
    canRedo,
    forgotten: buffered.forgotten,
    onChanged,
    left: journal.left,
    restoreLeft: journal.restore,
    discardLeft: journal.discard,
    open,
    close,
    add,
    whileOpen,
    whenFree,
    isHeld: () => held.size > 0,
    saveLayers,
    follow,
    followChanges,
    changesSince: opened.changesSince,
    doubt: opened.doubt,
    doubts: opened.doubts,
    isDoubtful: opened.isDoubtful,
    find: (id: string): Feature | undefined => current().get(id),
    change,
    /** Replaces features by id. */
    put: (put: readonly Feature[], key?: string) => change({ put, remove: [] }, key),
    remove: (ids: readonly string[]) => edited(current().remove(ids)),
    /** Ids of the shapes that the next undo or redo takes off the map. */
    removedByUndo: () => current().removedByUndo(),
    removedByRedo: () => current().removedByRedo(),
    undo: () => edited(current().undo()),
    redo: () => edited(current().redo()),
    /** Saves now; afterwards isUnsaved() shows whether it succeeded. */
    flush: async () => autosave()?.flush(),
    isUnsaved: () => autosave()?.isUnsaved ?? false,
    /** The displayed revision. */
    revision: () => current().revision,
    resolve: (ids: readonly string[], side: ConflictSide) => {
      refresh(current().resolve(ids, side, () => crypto.randomUUID()));
      autosave()?.touched();
    },
  };
});

type Buffered = ReturnType<typeof useMapBuffer> & { journal: ReturnType<typeof useMapJournal> };

/** Which map is open, and the state of its saving. */
function useOpening({ hold, refresh, refreshConflicts, journal }: Buffered) {
  const call = useCall();
  const design = shallowRef<Omit<Design, 'features'> | null>(null);
  const saveState = shallowRef<SaveState>('saved');
  const saveError = shallowRef<unknown>(null);
  /** The shape for which the last save was refused. */
  const refusedShape = shallowRef<Feature>();
  let autosave: Autosave | undefined;
  let reading: AbortController | undefined;
  /**
   * How often the service may have been put back to an earlier state: changes since a revision would be those of
   * another past.
   */
  let doubts = 0;
  /** How many of them were there when what is read by now was asked for. */
  let settled = 0;

  const doubt = (): void => void (doubts += 1);
  const isDoubtful = (): boolean => doubts > settled;
  /** What was asked for before a doubt does not end it. */
  const noteWhole = (before: number): void => void (settled = Math.max(settled, before));

  /** What changed on a map since a revision; null where it must be read whole. Throws ApiError. */
  async function changesSince(
    geo_id: string,
    since: number,
    options: { signal?: AbortSignal } = {},
  ): Promise<OverlayChanges | null> {
    if (isDoubtful()) return null;
    const changes = await call(overlayEndpoints.changes, { query: { geo_id, since, design: true }, ...options });
    return changes.read_whole || isDoubtful() ? null : changes;
  }

  /** Name, view and layers of the open map, where others changed them. */
  function takeFields({ map_uuid, design: fields }: OverlayChanges): void {
    if (design.value?.map_uuid === map_uuid) design.value = { ...design.value, ...fields };
  }

  async function readSince(geo_id: string, since: number | null, signal: AbortSignal): Promise<ServerState> {
    const changes = since === null ? null : await changesSince(geo_id, since, { signal });
    if (changes !== null) {
      takeFields(changes);
      return changes;
    }
    const before = doubts;
    const { features, ...read } = await call(designEndpoints.get, { params: { map_uuid: geo_id }, signal });
    if (design.value?.map_uuid === geo_id) design.value = read;
    noteWhole(before);
    return { features: features.features, revision: read.revision };
  }

  /**
   * Opens a map and closes the previous one, which must be saved first. A large map is sketched before it is read:
   * beside the reading the sketch would come no sooner than the map. Throws ApiError, or an AbortError when it is
   * closed before it is open.
   */
  async function open(mapUuid: string, sketched?: (sketch: MapSketch) => Promise<void>): Promise<Design> {
    close();
    const { signal } = (reading = new AbortController());
    const params = { map_uuid: mapUuid };
    const drawn = sketched === undefined ? null : await sketch(params, signal);
    if (drawn !== null) await sketched?.(drawn);
    const before = doubts;
    const read = await call(designEndpoints.get, { params, signal });
    signal.throwIfAborted();
    const buffer = new EditBuffer(read.features.features, read.revision);
    const saving = savingOf(buffer, mapUuid, {
      call,
      read: (since, signal) => readSince(mapUuid, since, signal),
      show: (state, error, refused) => {
        if (autosave === saving) show(state, error, refused);
      },
      replaced: (ids) => {
        if (autosave === saving) refresh(ids);
      },
    });
    autosave = saving;
    design.value = read;
    noteWhole(before);
    hold(buffer);
    journal.begin(mapUuid, buffer);
    return read;
  }

  /** Null for a map that is read as soon. Throws an AbortError. */
  async function sketch(params: { map_uuid: string }, signal: AbortSignal): Promise<MapSketch | null> {
    const drawn = await call(designEndpoints.sketch, { params, signal }).catch(() => null); // the map itself says what is wrong
    signal.throwIfAborted();
    return drawn === null || drawn.blocks.length + drawn.shapes.length === 0 ? null : drawn;
  }

  function show(state: SaveState, error: unknown, refused?: Feature): void {
    refusedShape.value = refused;
    saveState.value = state;
    saveError.value = error;
    refreshConflicts();
    // While it is being sent it may still fail to arrive.
    if (state !== 'saving') journal.note();
  }

  function close(): void {
    reading?.abort();
    autosave?.stop();
    autosave = undefined;
    design.value = null;
    journal.end();
    saveState.value = 'saved';
    saveError.value = null;
    refusedShape.value = undefined;
    hold(new EditBuffer([], 0));
  }

  const whole = { doubt, doubts: () => doubts, isDoubtful, noteWhole, changesSince, takeFields };
  return { call, design, saveState, saveError, refusedShape, journal, open, close, autosave: () => autosave, ...whole };
}
