import { createSharedComposable, useIntervalFn } from '@vueuse/core';
import { shallowRef, type Ref } from 'vue';
import { useClient } from '../client/client.ts';

/** Epoch ms of the server, by which it tells every time; a new value every second, one timer for all who show an age. */
export const useNow = createSharedComposable((): Readonly<Ref<number>> => {
  const { clock } = useClient();
  const now = shallowRef(clock.now());
  useIntervalFn(() => {
    now.value = clock.now();
  }, 1_000);
  return now;
});
