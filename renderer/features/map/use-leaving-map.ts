import { promiseTimeout, useEventListener } from '@vueuse/core';
import { onBeforeRouteLeave, onBeforeRouteUpdate } from 'vue-router';
import { useText } from '../../i18n/index.ts';
import { useOpenMap } from '../../stores/map.ts';

/** A save takes less, unless the line is slow or dead. */
const patienceMs = 5_000;

/** Saves the open map before it is left, and asks where that is not possible. */
export function useLeavingMap(): void {
  const { t } = useText();
  const store = useOpenMap();

  async function save(): Promise<void> {
    await store.whenFree();
    if (store.isUnsaved()) await store.flush();
  }

  /** Saves what is left for a moment; asks before anything is lost. */
  async function mayLeave(): Promise<boolean> {
    await Promise.race([save(), promiseTimeout(patienceMs)]);
    return !(store.isUnsaved() || store.isHeld()) || window.confirm(t('map.leave'));
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
