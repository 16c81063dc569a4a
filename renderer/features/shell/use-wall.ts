import { useEventListener, useIdle, useIntervalFn, useSessionStorage, useWakeLock } from '@vueuse/core';
import { computed, watch, type ComputedRef, type Ref } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { useSession } from '../../stores/session.ts';
import { useIsWall } from '../../ui/wall.ts';

const backAfterMs = 2 * 60_000;
const triesAgainMs = 10_000;
const hidesPointerAfterMs = 5_000;

interface Wall {
  isWall: ComputedRef<boolean>;
  /** Whether this window goes back to a wall once it is left alone. */
  isKept: ComputedRef<boolean>;
  isLeftAlone: Ref<boolean>;
  leave: () => void;
}

/**
 * A screen on the wall: `?wall` in the address takes rail and menus away and keeps the screen awake. Who follows a link from it sees that page
 * as ever; left alone for two minutes, the wall comes back, until somebody ends it or logs out. It never takes away what somebody works on.
 */
export function useWall(): Wall {
  const route = useRoute();
  const router = useRouter();
  const session = useSession();
  const isWall = useIsWall();
  /** Where the wall of this window is; empty where it is none. */
  const address = useSessionStorage('orangery.wall', '');
  const { idle: isLeftAlone } = useIdle(hidesPointerAfterMs);
  const { idle: isForgotten } = useIdle(backAfterMs);
  const isWorkedOn = useWork(() => route.fullPath);
  const lock = useWakeLock();

  watch(
    () => isWall.value && route.fullPath,
    (at) => {
      if (at !== false) address.value = at;
    },
    { immediate: true },
  );
  watch(
    isWall,
    (now) => void (now ? lock.request('screen') : lock.release()).catch(() => undefined), // a browser may refuse it
    { immediate: true },
  );
  useIntervalFn(() => {
    if (isForgotten.value && !isWall.value && address.value !== '' && !isWorkedOn()) void router.push(address.value);
  }, triesAgainMs);
  watch(
    () => !session.isLoggedIn && !session.hasEnded,
    (isOut) => {
      if (isOut) address.value = '';
    },
  );

  function leave(): void {
    address.value = '';
    const { wall: _, ...query } = route.query;
    void router.push({ path: route.path, query });
  }

  return { isWall, isKept: computed(() => address.value !== ''), isLeftAlone, leave };
}

/** Tells whether somebody would lose something by leaving: an entry, a dialog, a field, what is not saved. */
function useWork(page: () => string): () => boolean {
  let hasEntry = false;
  const enter = (): void => void (hasEntry = true);
  useEventListener(window, ['input', 'change'], enter, { capture: true });
  watch(page, () => (hasEntry = false));

  return () =>
    hasEntry ||
    document.querySelector('.v-dialog.v-overlay--active') !== null ||
    document.activeElement?.matches('input, textarea, select, [contenteditable]') === true ||
    // Whoever would ask before the window is closed would ask now.
    !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}
