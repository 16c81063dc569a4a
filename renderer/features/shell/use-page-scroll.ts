import { useEventListener } from '@vueuse/core';
import { onScopeDispose, type ShallowRef } from 'vue';
import { useRouter } from 'vue-router';

/** So long a page grows by what it reads over a slow line; after that it is not scrolled by itself. */
const growing_ms = 10_000;

/** The place of the shown entry in the browser's history, as the router keeps it. */
const entryNow = (): number => ((history.state ?? {}) as { position?: number }).position ?? 0;

/**
 * A page opens at its top, and where it was left when Back or Forward leads to it again. Its frame scrolls and not the
 * window, which is all that the router would look after.
 */
export function usePageScroll(frame: Readonly<ShallowRef<HTMLElement | null>>): void {
  const router = useRouter();
  /** px from the top, by entry. */
  const left = new Map<number, number>();
  let entry = entryNow();
  let isReturn = false;
  let wanted: { top: number; untilMs: number } | null = null;

  function reach(): void {
    if (wanted === null || frame.value === null) return;
    frame.value.scrollTop = wanted.top;
    if (Math.abs(frame.value.scrollTop - wanted.top) < 1 || Date.now() > wanted.untilMs) wanted = null;
    else requestAnimationFrame(reach);
  }

  useEventListener(window, 'popstate', () => (isReturn = true));
  // Whoever scrolls meanwhile is not pulled away.
  useEventListener(frame, ['wheel', 'pointerdown', 'keydown'], () => (wanted = null), { passive: true });
  const stops = [
    router.beforeResolve((to, from) => {
      if (to.path !== from.path && frame.value !== null) left.set(entry, frame.value.scrollTop);
    }),
    router.afterEach((to, from, failure) => {
      const top = isReturn ? (left.get(entryNow()) ?? 0) : 0;
      isReturn = false;
      if (failure) return;
      entry = entryNow();
      if (to.path === from.path) return;
      wanted = { top, untilMs: Date.now() + growing_ms };
      requestAnimationFrame(reach);
    }),
  ];
  onScopeDispose(() => stops.forEach((stop) => stop()));
}
