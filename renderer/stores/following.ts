import { useDebounceFn } from '@vueuse/core';
import { watch } from 'vue';
import type { FacilityEvent, MapEvent } from '../../server/contract/event.ts';
import { useLive } from './live.ts';

/** One action may change a map and all its houses; an item of a check ends with several events. */
const settleMs = 300;

/** Reloads soon after a map or house was changed, here or elsewhere, while the caller is mounted. */
export function useFollowing(read: () => unknown, concerns: (change: MapEvent | FacilityEvent) => boolean): void {
  const readSoon = useDebounceFn(read, settleMs);
  useLive().onSiteChange((change) => {
    if (concerns(change)) void readSoon();
  });
}

/** Reloads soon after a commissioning check of a house began, went on or ended, here or elsewhere. */
export function useFollowingChecks(read: () => unknown, facilityUuid: () => string): void {
  const live = useLive();
  const readSoon = useDebounceFn(read, settleMs);
  live.onCheckChange(({ facility_uuid }) => {
    if (facility_uuid === facilityUuid()) void readSoon();
  });
  // A reset of the stream, which may have missed some, reloads the devices.
  watch(
    () => live.devices,
    (_now, before) => {
      if (before.length > 0) void readSoon();
    },
  );
}
