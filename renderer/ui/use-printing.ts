import { createSharedComposable, useEventListener } from '@vueuse/core';
import { nextTick, shallowRef, type ShallowRef } from 'vue';

interface Printing {
  /** Whether the page is made for paper at the moment. */
  isPrinting: Readonly<ShallowRef<boolean>>;
  /** Makes the page for paper and prints it: a browser that is told to print by a script waits for nothing. */
  print: () => Promise<void>;
}

/** Paper, for the page and whatever stands on it: light colours, whole tables, pictures as wide as the sheet. */
export const usePrinting = createSharedComposable((): Printing => {
  const isPrinting = shallowRef(false);
  useEventListener(window, 'beforeprint', () => (isPrinting.value = true));
  useEventListener(window, 'afterprint', () => (isPrinting.value = false));
  return {
    isPrinting,
    print: async () => {
      isPrinting.value = true;
      await nextTick();
      window.print();
    },
  };
});
