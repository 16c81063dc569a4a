import { computed, shallowRef, watch, type Ref } from 'vue';
import type { MapEditor } from './map-editor.ts';
import type { MapAction } from './tools.ts';
import type { MapHistory } from './use-map-history.ts';

interface TrayOptions {
  history: MapHistory;
  /** It lies over the map then, where there is room for it or for a tool. */
  isNarrow: Readonly<Ref<boolean>>;
  /** It was opened. */
  opened: () => void;
}

/** What lies beside the map: its history, pipes, parcels, or the form of the selection. */
export function useMapTray(editor: MapEditor, { history, isNarrow, opened }: TrayOptions) {
  const { selection, shapeAction, drawTool } = editor;
  const tray = shallowRef<'pipes' | 'parcels' | null>(null);
  /** The parcel that was clicked. */
  const parcelPlace = shallowRef<{ lat: number; lng: number } | null>(null);
  const isFormOpen = computed(() => {
    if (isNarrow.value && (shapeAction.value !== null || drawTool.value !== null)) return history.isOpen.value;
    return history.isOpen.value || tray.value !== null || selection.value.length > 0;
  });
  const arePipesOpen = computed(() => isFormOpen.value && !history.isOpen.value && tray.value === 'pipes');

  function act(action: MapAction): void {
    if (action !== 'history') return editor.act(action);
    if (history.isOpen.value) return history.close();
    clearDesk();
    void history.open();
  }

  function openTray(wanted: 'pipes' | 'parcels'): void {
    clearDesk();
    history.close();
    parcelPlace.value = null;
    tray.value = wanted;
    opened();
  }

  /** Nothing drawn, selected or beside the map. */
  function clearDesk(): void {
    editor.act('cancel');
    editor.select(null);
    tray.value = null;
  }

  /** Closes what is open; returns whether something was. */
  function leave(): boolean {
    const isLeft = history.isOpen.value || tray.value !== null;
    if (history.isOpen.value) history.leave();
    else tray.value = null;
    return isLeft;
  }

  watch(selection, (ids) => {
    if (ids.length === 0) return;
    tray.value = null;
    history.close();
  });

  /** While parcels are looked for, a click on the map chooses one. */
  function takeParcelAt(place: { lat: number; lng: number }): boolean {
    if (tray.value !== 'parcels') return false;
    parcelPlace.value = place;
    return true;
  }

  return { tray, parcelPlace, isFormOpen, arePipesOpen, act, openTray, leave, takeParcelAt };
}
