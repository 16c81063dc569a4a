import { useEventListener } from '@vueuse/core';
import { onBeforeRouteLeave, onBeforeRouteUpdate } from 'vue-router';
import { useText } from '../../i18n/index.ts';
import { useOpenMap } from '../../stores/map.ts';

/** Saves the open map before it is left, and asks where that is not possible. */
export function useLeavingMap(): void {
  const { t } = useText();
  const store = useOpenMap();

  /** Saves what is left; asks before anything is lost. */
  async function mayLeave(): Promise<boolean> {
    await store.whenFree();
    if (store.isUnsaved()) await store.flush();
    return !store.isUnsaved() || window.confirm(t('map.leave'));
  }

  onBeforeRouteLeave(mayLeave);
  onBeforeRouteUpdate(mayLeave);
  useEventListener(window, 'beforeunload', (event) => {
    if (store.isUnsaved() || store.isHeld()) event.preventDefault();
  });
  useEventListener(window, 'online', () => void store.flush());
  // A phone that is put into the pocket may never come back to this page.
  useEventListener(document, 'visibilitychange', () => {
    if (document.hidden) void store.flush();
  });
}
