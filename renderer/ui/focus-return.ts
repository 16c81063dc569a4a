import { useEventListener, useMutationObserver } from '@vueuse/core';
import { onMounted, shallowRef } from 'vue';

const layers = '.v-overlay-container';
/** Where the focus may go when what had it vanishes: a card, a panel, and at last the page. */
const home = '[tabindex="-1"]';

/**
 * Keeps the focus in the page when what had it is gone: after a dialog has closed (Vuetify restores it only for a
 * dialog with a known activator), when a pressed button vanishes, when it was disabled while its work was under way,
 * and when its card was moved to another place of a list.
 */
export function useFocusReturn(): void {
  const container = shallowRef<HTMLElement | null>(null);
  let last: HTMLElement | null = null;
  /** What is around it, the nearest first: once it is gone, nothing tells where it was. */
  let homes: readonly HTMLElement[] = [];
  /** Somebody pressed elsewhere: what they left does not call them back. */
  let isLeft = false;

  useEventListener(document, 'focusin', ({ target }) => {
    if (!(target instanceof HTMLElement) || target.closest(layers) !== null) return;
    last = target;
    homes = homesOf(target);
    isLeft = false;
  });
  useEventListener(document, 'pointerdown', ({ target }) => {
    if (target instanceof Element && target.closest(layers) === null) isLeft = true;
  });

  const isNowhere = (): boolean =>
    document.activeElement === document.body && document.querySelector('.v-overlay--active:not(.v-snackbar)') === null;

  function giveBack(): void {
    if (isNowhere() && last?.isConnected === true) last.focus({ preventScroll: true });
    keep();
  }

  function keep(): void {
    if (last === null || isLeft || !isNowhere()) return;
    const place = last.isConnected ? last : homes.find(({ isConnected }) => isConnected);
    place?.focus({ preventScroll: true });
  }

  // The overlay container is created with the first dialog.
  useMutationObserver(
    () => document.body,
    () => (container.value ??= document.querySelector<HTMLElement>(layers)),
    { childList: true },
  );
  onMounted(() => (container.value = document.querySelector<HTMLElement>(layers)));
  useMutationObserver(container, giveBack, { childList: true });
  useMutationObserver(() => document.body, keep, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled'],
  });
}

function homesOf(target: HTMLElement): HTMLElement[] {
  const found: HTMLElement[] = [];
  for (
    let one = target.parentElement?.closest<HTMLElement>(home);
    one;
    one = one.parentElement?.closest<HTMLElement>(home)
  )
    found.push(one);
  return found;
}
