import { useIntervalFn } from '@vueuse/core';
import { createSharedComposable } from '@vueuse/core';
import { shallowRef } from 'vue';
import type { Ref } from 'vue';

/** Epoch ms, a new value every second; one timer for all who show an age. */
export const useNow = createSharedComposable((): Readonly<Ref<number>> => {
  const now = shallowRef(Date.now());
  useIntervalFn(() => {
    now.value = Date.now();
  }, 1_000);
  return now;
});
