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
  /** Whether this window returns to its wall display when left alone. */
  isKept: ComputedRef<boolean>;
  isLeftAlone: Ref<boolean>;
  leave: () => void;
}

/**
 * A wall display: `?wall` in the address removes rail and menus and keeps the screen on. Following a link from it opens
 * a normal page; after two minutes without input the wall display returns, until a user ends it or logs out. It never
 * interrupts a user's work.
 */
export function useWall(): Wall {
  const route = useRoute();
  const router = useRouter();
  const session = useSession();
  const isWall = useIsWall();
  /** Address of this window's wall display; empty when it has none. */
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

/** Detects whether leaving would lose something: an entry, a dialog, a focused field, unsaved changes. */
function useWork(page: () => string): () => boolean {
  let hasEntry = false;
  const enter = (): void => void (hasEntry = true);
  useEventListener(window, ['input', 'change'], enter, { capture: true });
  watch(page, () => (hasEntry = false));

  return () =>
    hasEntry ||
    document.querySelector('.v-dialog.v-overlay--active') !== null ||
    document.activeElement?.matches('input, textarea, select, [contenteditable]') === true ||
    // Leave guards that would ask before the window closes respond to this event.
    !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
}
