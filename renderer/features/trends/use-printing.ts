import { useEventListener } from '@vueuse/core';
import { shallowRef } from 'vue';
import type { ShallowRef } from 'vue';

/** Whether the page is made for paper at the moment. Set it before printing by a button: the browser then waits for nothing. */
export function usePrinting(): ShallowRef<boolean> {
  const isPrinting = shallowRef(false);
  useEventListener(window, 'beforeprint', () => (isPrinting.value = true));
  useEventListener(window, 'afterprint', () => (isPrinting.value = false));
  return isPrinting;
}
