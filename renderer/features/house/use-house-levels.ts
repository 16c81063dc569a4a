import { useIntervalFn, useThrottleFn } from '@vueuse/core';
import { watch } from 'vue';
import type { Facility } from '../../../server/contract/facility.ts';
import { isApiError } from '../../client/api-error.ts';
import { useFacilities } from '../../stores/facility.ts';
import { useLive } from '../../stores/live.ts';

const everyMs = 10_000;
/** Minimum interval between reads while alarms flood: each is of every house. */
const alarmedEveryMs = 2_000;

/**
 * Keeps the levels of houses, else of all loaded ones, up to date while they are shown. Returns a function that reads
 * them at once.
 */
export function useHouseLevels(houses?: () => readonly Pick<Facility, 'unique_id'>[]): () => Promise<void> {
  const facilities = useFacilities();
  const live = useLive();

  /** A house that cannot be read keeps its last level. */
  async function load(): Promise<void> {
    if (document.hidden) return;
    await Promise.all(
      (houses?.() ?? facilities.list).map(({ unique_id }) =>
        facilities.loadRuntime(unique_id).catch((thrown: unknown) => {
          if (!isApiError(thrown)) throw thrown;
        }),
      ),
    );
  }

  const loadSoon = useThrottleFn(load, alarmedEveryMs, true, true);

  useIntervalFn(() => void load(), everyMs);
  // A house must not look well beside its own alarm.
  watch(
    () => live.alarmPulse,
    () => void loadSoon(),
  );
  watch([() => live.devices, () => live.daemon, () => live.emergency], () => void load());
  return load;
}
