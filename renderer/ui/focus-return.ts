import { useEventListener, useMutationObserver } from '@vueuse/core';
import { onMounted, shallowRef } from 'vue';

const layers = '.v-overlay-container';

/**
 * Gives the focus back to what had it in the page when a dialog has closed: Vuetify does so only for a dialog that knows the button
 * that opened it, and leaves the focus on nothing else.
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

  // The layers come with the first dialog.
  useMutationObserver(
    () => document.body,
    () => (container.value ??= document.querySelector<HTMLElement>(layers)),
    { childList: true },
  );
  onMounted(() => (container.value = document.querySelector<HTMLElement>(layers)));
  useMutationObserver(container, giveBack, { childList: true });
}
