import { useEventListener } from '@vueuse/core';
import type { Ref } from 'vue';
import { usePreference } from '../../stores/preference.ts';
import { isInFieldOrDialog } from './field-or-dialog.ts';
import type { MapEditor } from './map-editor.ts';
import { actionOfKey, changesMap, nameOfKey, type MapAction } from './tools.ts';

interface MapKeys {
  isReadOnly: Readonly<Ref<boolean>>;
  /** Drawings consist of corners, which keys finish and undo. */
  hasCorners: Readonly<Ref<boolean>>;
  act: (action: MapAction) => void;
  /** Closes what lies beside the map; answers whether there was something. */
  leave: () => boolean;
}

/** The keys of the map, wherever the focus is but in a field, a dialog or the bar of a tool. */
export function useMapKeys(editor: MapEditor, { isReadOnly, hasCorners, act, leave }: MapKeys): void {
  const { map, tool, isSquare } = editor;
  const preference = usePreference();

  /** Keys of the running drawing or tool; returns whether the key was handled. */
  function pressedInTool({ key, target }: KeyboardEvent): boolean {
    const isOnMap = target instanceof HTMLElement && target.closest('.leaflet-container') !== null;
    const isOnButton = target instanceof HTMLElement && target.closest('button') !== null;
    const shown = map.value;
    if (shown === null) return false;
    if (hasCorners.value && key === 'Enter' && !isOnButton) shown.onceAtRest(() => shown.hand.finishDrawing());
    else if (hasCorners.value && key === 'Backspace') shown.onceAtRest(() => shown.hand.removeLastCorner());
    // The arrow keys move the map, and what is placed without a pointer is in the middle.
    else if ((hasCorners.value || editor.isDragged()) && isOnMap && key === ' ')
      shown.onceAtRest(() => editor.setCorner(shown.middle));
    else if (tool.value === 'shape' && key === 'Enter' && !isOnButton) void editor.applyShapeTool();
    else if (tool.value === 'marker' && isOnMap && key === 'Enter')
      shown.onceAtRest(() => editor.drawn({ type: 'Point', coordinates: shown.middle }));
    else return false;
    return true;
  }

  let isElsewhere = false;
  // Asked on the way down: the key may close the dialog that it is meant for.
  useEventListener(window, 'keydown', ({ target }) => (isElsewhere = isInFieldOrDialog(target) || isInBar(target)), {
    capture: true,
  });
  useEventListener(window, 'keydown', (event) => {
    if (isElsewhere) return;
    if (pressedInTool(event)) return event.preventDefault();
    if (preference.hasLetterKeys && nameOfKey(event) === 'q' && hasCorners.value) isSquare.value = !isSquare.value;
    const action = actionOfKey(event, preference.hasLetterKeys);
    if (action === undefined || (changesMap(action) && isReadOnly.value)) return;
    event.preventDefault();
    if (action !== 'cancel' || !leave()) act(action);
  });
}

/** The bar of a tool has Enter for its buttons and Escape for itself. */
function isInBar(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('.shape-bar') !== null;
}
