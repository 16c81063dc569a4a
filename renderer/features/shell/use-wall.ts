import { useIdle, useSessionStorage, useWakeLock } from '@vueuse/core';
import { computed, watch, type ComputedRef, type Ref } from 'vue';
import { useRoute, useRouter } from 'vue-router';

const backAfterMs = 2 * 60_000;
const hidesPointerAfterMs = 5_000;

/**
 * A screen on the wall: `?wall` in the address takes rail and menus away and keeps the screen awake. Who follows a link from it sees that page
 * as ever; left alone for two minutes, the wall comes back, until somebody ends it.
 */
export function useWall(): { isWall: ComputedRef<boolean>; isLeftAlone: Ref<boolean>; leave: () => void } {
  const route = useRoute();
  const router = useRouter();
  const isWall = computed(() => route.query.wall !== undefined);
  /** Where the wall of this window is; empty where it is none. */
  const address = useSessionStorage('orangery.wall', '');
  const { idle: isLeftAlone } = useIdle(hidesPointerAfterMs);
  const { idle: isForgotten } = useIdle(backAfterMs);
  const lock = useWakeLock();

  watch(
    isWall,
    (now) => {
      if (now) address.value = route.fullPath;
      void (now ? lock.request('screen') : lock.release()).catch(() => undefined); // a browser may refuse it
    },
    { immediate: true },
  );
  watch(isForgotten, (now) => {
    if (now && !isWall.value && address.value !== '') void router.push(address.value);
  });

  function leave(): void {
    address.value = '';
    const { wall: _, ...query } = route.query;
    void router.push({ path: route.path, query });
  }

  return { isWall, isLeftAlone, leave };
}
