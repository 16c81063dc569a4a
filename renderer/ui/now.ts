import { createSharedComposable, useIntervalFn } from '@vueuse/core';
import { shallowRef, type Ref } from 'vue';
import { useClient } from '../client/client.ts';

/** Server time, epoch ms, the base of all displayed times; updated every second by one shared timer. */
export const useNow = createSharedComposable((): Readonly<Ref<number>> => {
  const { clock } = useClient();
  const now = shallowRef(clock.now());
  useIntervalFn(() => {
    now.value = clock.now();
  }, 1_000);
  return now;
});
