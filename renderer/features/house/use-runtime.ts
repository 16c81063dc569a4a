import { useIntervalFn, useThrottleFn } from '@vueuse/core';
import { computed, shallowRef, watch, type ComputedRef, type ShallowRef } from 'vue';
import type { Facility, RuntimeResult } from '../../../server/contract/facility.ts';
import { isApiError } from '../../client/api-error.ts';
import { useFacilities } from '../../stores/facility.ts';
import { useFollowing } from '../../stores/following.ts';
import { useLive } from '../../stores/live.ts';
import { useReadingOf, type Reading } from './reading.ts';

/** Minimum interval between reads during a flood of state changes or alarms. */
const derivedEveryMs = 2_000;
/**
 * Interval for what the server derives from values (which arrive live at once), and for alerts that only depend on
 * time.
 */
const idleEveryMs = 15_000;

export interface Runtime {
  facility: ShallowRef<Facility | null>;
  runtime: ComputedRef<RuntimeResult | undefined>;
  readings: ComputedRef<Reading[]>;
  error: ShallowRef<unknown>;
  load: () => Promise<void>;
}

/**
 * The present state of a house: read once, updated by the live stream, and read again after a stream reset or a change
 * of the house.
 */
export function useRuntime(facilityUuid: () => string): Runtime {
  const facilities = useFacilities();
  const live = useLive();
  const readingOf = useReadingOf();
  const facility = shallowRef<Facility | null>(null);
  const error = shallowRef<unknown>(null);
  const runtime = computed(() => facilities.runtimes.get(facilityUuid()));

  async function load(): Promise<void> {
    const asked = facilityUuid();
    try {
      const [read] = await Promise.all([facilities.get(asked), facilities.loadRuntime(asked)]);
      if (asked !== facilityUuid()) return;
      facility.value = read;
      error.value = null;
    } catch (thrown) {
      error.value = thrown;
    }
  }

  async function refresh(): Promise<void> {
    if (facility.value === null || document.hidden) return;
    await facilities.loadRuntime(facilityUuid()).catch((thrown: unknown) => {
      // The shell reports a lost server; this reports a house that is gone.
      if (isApiError(thrown) && thrown.code === 'not_found') error.value = thrown;
      else if (!isApiError(thrown)) throw thrown;
    });
  }

  const refreshSoon = useThrottleFn(refresh, derivedEveryMs, true, true);

  /**
   * Changes with every alarm, for those of its devices and of the site concern the house too, and with every state of
   * its actuators; its values arrive through the stream and need no read.
   */
  const pulse = computed(() => {
    const actuators = (runtime.value?.actuators ?? []).map(({ device_id, channel }) => {
      const known = live.output(device_id, channel ?? 0);
      return `${known?.state}:${known?.changed_at}:${known?.pending}`;
    });
    return [live.alarmPulse, ...actuators].join(' ');
  });

  watch(facilityUuid, () => void load(), { immediate: true });
  watch(pulse, () => void refreshSoon());
  // A reset of the stream reloads the devices; what happened meanwhile is read with them.
  watch([() => live.devices, () => live.daemon, () => live.stream, () => live.emergency], () => void refresh());
  useFollowing(load, (change) => change.kind === 'facility' && change.facility_uuid === facilityUuid());
  useIntervalFn(() => void refreshSoon(), idleEveryMs);

  const readings = computed(() => (facility.value?.sensors ?? []).map((binding) => readingOf(binding, runtime.value)));

  return { facility, runtime, readings, error, load };
}
