import { useDocumentVisibility, useIntervalFn } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import { safetyEndpoints, type EmergencyStop } from '../../server/contract/safety.ts';
import { isApiError } from '../client/api-error.ts';
import { useCall } from '../client/client.ts';
import { useLive } from './live.ts';
import { useSession } from './session.ts';

type Outcomes = EmergencyStop['outputs'];

/** Vents need minutes to their safe state, and no event tells of it; once there they seldom leave it. */
const everyMs = { moving: 3_000, safe: 30_000 };

/** How far each output is known to be in its safe state while the emergency stop holds. */
export const useSafeOutputs = defineStore('safe-outputs', () => {
  const call = useCall();
  const live = useLive();
  const session = useSession();
  const known = shallowRef<Outcomes | null>(null);
  const isStopped = computed(() => live.emergency?.active === true);

  function take({ active, outputs }: Pick<EmergencyStop, 'active' | 'outputs'>): void {
    known.value = active ? outputs : null;
  }

  async function read(): Promise<void> {
    if (!isStopped.value || !session.can('view_stats')) return;
    try {
      take(await call(safetyEndpoints.getEmergencyStop));
    } catch (error) {
      known.value = null;
      if (!isApiError(error)) throw error;
    }
  }

  watch(
    isStopped,
    (stopped) => {
      if (!stopped) known.value = null;
      else if (known.value === null) void read();
    },
    { immediate: true },
  );
  const isSafe = computed(() => known.value?.every(({ outcome }) => outcome === 'confirmed') === true);
  const visibility = useDocumentVisibility();
  useIntervalFn(
    () => {
      if (visibility.value === 'visible') void read();
    },
    computed(() => (isSafe.value ? everyMs.safe : everyMs.moving)),
  );
  // What was read before the page was hidden may be long past.
  watch(visibility, (now) => {
    if (now === 'visible') void read();
  });

  return {
    take,
    /** null when unknown: nothing is stopped, or nobody can be asked. */
    outcomes: computed(() => (isStopped.value && live.isCurrent ? known.value : null)),
  };
});
