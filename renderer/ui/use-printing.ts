import { createSharedComposable, useEventListener } from '@vueuse/core';
import { nextTick, shallowRef, type ShallowRef } from 'vue';

interface Printing {
  /** Whether the page is laid out for paper now. */
  isPrinting: Readonly<ShallowRef<boolean>>;
  /** Some browsers of phones cannot. */
  canPrint: boolean;
  /** Lays the page out for paper and prints it; ends with the printing, which a phone does not wait for. */
  print: () => Promise<void>;
}

/** Paper layout for the page and its content: light colours, whole tables, images as wide as the sheet. */
export const usePrinting = createSharedComposable((): Printing => {
  const isPrinting = shallowRef(false);
  useEventListener(window, 'beforeprint', () => (isPrinting.value = true));
  useEventListener(window, 'afterprint', () => (isPrinting.value = false));
  return {
    isPrinting,
    canPrint: 'print' in window,
    print: async () => {
      isPrinting.value = true;
      await nextTick();
      const ended = new Promise<void>((end) => window.addEventListener('afterprint', () => end(), { once: true }));
      window.print();
      await ended;
    },
  };
});
