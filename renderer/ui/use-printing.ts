import { createSharedComposable, useEventListener } from '@vueuse/core';
import { nextTick, shallowRef, type ShallowRef } from 'vue';

interface Printing {
  /** Whether the page is laid out for paper now. */
  isPrinting: Readonly<ShallowRef<boolean>>;
  /** Lays the page out for paper and prints it: a browser told to print by a script does not wait. */
  print: () => Promise<void>;
}

/** Paper layout for the page and its content: light colours, whole tables, images as wide as the sheet. */
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
