import { useEventListener } from '@vueuse/core';
import { shallowRef, watch, type ShallowRef } from 'vue';
import { onBeforeRouteLeave, onBeforeRouteUpdate } from 'vue-router';

export interface LeaveGuard {
  /** Whether the question is open: the model of a dialog; closing it means staying. */
  isAsking: ShallowRef<boolean>;
  leave: () => void;
}

/** Asks before a page with unsaved changes is left, by a link or by closing the window. */
export function useLeaveGuard(isDirty: () => boolean): LeaveGuard {
  const isAsking = shallowRef(false);
  let answer: ((isWanted: boolean) => void) | undefined;

  function settle(isWanted: boolean): void {
    const waiting = answer;
    answer = undefined;
    isAsking.value = false;
    waiting?.(isWanted);
  }

  async function mayLeave(): Promise<boolean> {
    if (!isDirty()) return true;
    isAsking.value = true;
    return new Promise<boolean>((resolve) => {
      answer = resolve;
    });
  }

  onBeforeRouteLeave(mayLeave);
  // The same page for something else, or on the wall display, which cannot save.
  onBeforeRouteUpdate((to, from) => {
    const isOther = to.path !== from.path || (to.query.wall !== undefined && from.query.wall === undefined);
    return isOther ? mayLeave() : true;
  });
  watch(isAsking, (isOpen) => {
    if (!isOpen) settle(false);
  });
  useEventListener(window, 'beforeunload', (event) => {
    if (isDirty()) event.preventDefault();
  });

  return { isAsking, leave: () => settle(true) };
}
