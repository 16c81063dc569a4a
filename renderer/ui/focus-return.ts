import { useEventListener, useMutationObserver } from '@vueuse/core';
import { onMounted, shallowRef } from 'vue';

const layers = '.v-overlay-container';

/**
 * Restores the page's focus when a dialog has closed: Vuetify does so only for a dialog with a known activator, and
 * otherwise leaves nothing focused.
 */
export function useFocusReturn(): void {
  const container = shallowRef<HTMLElement | null>(null);
  let last: HTMLElement | null = null;

  useEventListener(document, 'focusin', ({ target }) => {
    if (target instanceof HTMLElement && target.closest(layers) === null) last = target;
  });

  function giveBack(): void {
    const isLost = document.activeElement === document.body && document.querySelector('.v-overlay--active') === null;
    if (isLost && last?.isConnected === true) last.focus({ preventScroll: true });
  }

  // The overlay container is created with the first dialog.
  useMutationObserver(
    () => document.body,
    () => (container.value ??= document.querySelector<HTMLElement>(layers)),
    { childList: true },
  );
  onMounted(() => (container.value = document.querySelector<HTMLElement>(layers)));
  useMutationObserver(container, giveBack, { childList: true });
}
