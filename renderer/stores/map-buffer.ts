import { createEventHook } from '@vueuse/core';
import { computed, shallowRef } from 'vue';
import type { Feature } from '../../server/contract/overlay.ts';
import { EditBuffer, type Conflict } from '../map/edit-buffer.ts';

/** The edit buffer of the open map, as reactive state for the page. */
export function useMapBuffer() {
  const features = shallowRef<Feature[]>([]);
  const conflicts = shallowRef<Conflict[]>([]);
  const history = shallowRef({ canUndo: false, canRedo: false, forgotten: 0 });
  /** Ids of the features to redraw. */
  const changed = createEventHook<{ ids: string[] }>();
  let buffer = new EditBuffer([], 0);

  function refreshConflicts(): void {
    conflicts.value = buffer.conflicts;
  }

  function refresh(ids: string[]): void {
    features.value = buffer.features();
    refreshConflicts();
    history.value = { canUndo: buffer.canUndo, canRedo: buffer.canRedo, forgotten: buffer.forgotten };
    if (ids.length > 0) void changed.trigger({ ids });
  }

  /** Replaces the buffer. */
  function hold(next: EditBuffer): void {
    buffer = next;
    refresh([]);
  }

  return {
    features,
    conflicts,
    canUndo: computed(() => history.value.canUndo),
    canRedo: computed(() => history.value.canRedo),
    /** How many steps can no longer be undone, or not whole, for someone else changed a shape of theirs. */
    forgotten: computed(() => history.value.forgotten),
    onChanged: changed.on,
    current: () => buffer,
    hold,
    refresh,
    refreshConflicts,
  };
}
