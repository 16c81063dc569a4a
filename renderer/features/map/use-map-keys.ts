import { useEventListener } from '@vueuse/core';
import type { Ref } from 'vue';
import { usePreference } from '../../stores/preference.ts';
import { isInFieldOrDialog, isInTextOrDialog } from './field-or-dialog.ts';
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

  /** What a key means to the running drawing or tool; undefined where nothing. */
  function deedInTool({ key, target }: KeyboardEvent): (() => void) | undefined {
    const isOnMap = target instanceof HTMLElement && target.closest('.leaflet-container') !== null;
    const isOnButton = target instanceof HTMLElement && target.closest('button') !== null;
    const shown = map.value;
    if (shown === null) return undefined;
    if (hasCorners.value && key === 'Enter' && !isOnButton) return () => shown.hand.finishDrawing();
    if (hasCorners.value && key === 'Backspace') return () => shown.hand.removeLastCorner();
    // The arrow keys move the map, and what is placed without a pointer is in the middle.
    if ((hasCorners.value || editor.isDragged()) && isOnMap && key === ' ') return () => editor.setCorner(shown.middle);
    if (tool.value === 'shape' && key === 'Enter' && !isOnButton) return () => void editor.applyShapeTool();
    if (tool.value === 'marker' && isOnMap && key === 'Enter')
      return () => editor.drawn({ type: 'Point', coordinates: shown.middle });
    return undefined;
  }

  function deedOfKey(event: KeyboardEvent): (() => void) | undefined {
    const action = actionOfKey(event, preference.hasLetterKeys);
    if (action === undefined || (changesMap(action) && isReadOnly.value)) return undefined;
    return () => {
      if (action !== 'cancel' || !leave()) act(action);
    };
  }

  let isElsewhere = false;
  // Asked on the way down: the key may close the dialog that it is meant for.
  useEventListener(
    window,
    'keydown',
    (event) => {
      const action = actionOfKey(event, preference.hasLetterKeys);
      const isIn = action === 'undo' || action === 'redo' ? isInTextOrDialog : isInFieldOrDialog;
      isElsewhere = isIn(event.target) || isInBar(event.target);
    },
    { capture: true },
  );
  useEventListener(window, 'keydown', (event) => {
    if (isElsewhere) return;
    if (preference.hasLetterKeys && nameOfKey(event) === 'q' && hasCorners.value) isSquare.value = !isSquare.value;
    const ofTool = deedInTool(event);
    const deed = ofTool ?? deedOfKey(event);
    if (deed === undefined) return;
    event.preventDefault();
    const shown = map.value;
    // No key overtakes one before it that waits, and what it means is asked again at its turn.
    if (shown !== null && (ofTool !== undefined || shown.hasWaiting))
      shown.onceAtRest(() => (deedInTool(event) ?? deedOfKey(event))?.());
    else deed();
  });
}

/** The bar of a tool has Enter for its buttons and Escape for itself. */
function isInBar(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('.shape-bar') !== null;
}
