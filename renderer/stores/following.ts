import { useDebounceFn } from '@vueuse/core';
import type { FacilityEvent, MapEvent } from '../../server/contract/event.ts';
import { useLive } from './live.ts';

/** One deed may change a map and all its houses. */
const settleMs = 300;

/** Reads again soon after a map or a house was changed, here or elsewhere, for as long as the caller is shown. */
export function useFollowing(read: () => unknown, concerns: (change: MapEvent | FacilityEvent) => boolean): void {
  const readSoon = useDebounceFn(read, settleMs);
  useLive().onSiteChange((change) => {
    if (concerns(change)) void readSoon();
  });
}
