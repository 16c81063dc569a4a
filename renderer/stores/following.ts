import { useDebounceFn } from '@vueuse/core';
import type { FacilityEvent, MapEvent } from '../../server/contract/event.ts';
import { useLive } from './live.ts';

/** One action may change a map and all its houses. */
const settleMs = 300;

/** Reloads soon after a map or house was changed, here or elsewhere, while the caller is mounted. */
export function useFollowing(read: () => unknown, concerns: (change: MapEvent | FacilityEvent) => boolean): void {
  const readSoon = useDebounceFn(read, settleMs);
  useLive().onSiteChange((change) => {
    if (concerns(change)) void readSoon();
  });
}
