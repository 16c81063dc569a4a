import { useIntervalFn } from '@vueuse/core';
import { computed, shallowRef, type ComputedRef, type ShallowRef } from 'vue';
import {
  pidAutotuneEndpoints,
  type PidAutotune,
  type PidAutotuneStart,
} from '../../../server/contract/pid-autotune.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';

/** How often the progress of a running trial is polled. */
const everyMs = 3_000;

interface PidTrial {
  /** The latest state; null when unknown, or after it was dismissed. */
  trial: ShallowRef<PidAutotune | null>;
  isRunning: ComputedRef<boolean>;
  begin: (asked: PidAutotuneStart) => Promise<void>;
  abort: () => Promise<void>;
  /** Dismisses its proposal or failure. */
  putAway: () => void;
}

/** The trial that proposes gains for a PID. */
export function usePidTrial(pid_id: string): PidTrial {
  const call = useCall();
  const params = { pid_id };
  const trial = shallowRef<PidAutotune | null>(null);
  const isRunning = computed(() => trial.value?.phase === 'running');

  async function read(): Promise<void> {
    try {
      trial.value = await call(pidAutotuneEndpoints.get, { params });
    } catch (error) {
      if (!isApiError(error)) throw error; // a trial that does not run has no state
    }
  }

  void read();
  useIntervalFn(() => isRunning.value && !document.hidden && void read(), everyMs);
  return {
    trial,
    isRunning,
    begin: async (asked) => {
      trial.value = await call(pidAutotuneEndpoints.begin, { params, body: asked });
    },
    abort: async () => {
      trial.value = await call(pidAutotuneEndpoints.abort, { params });
    },
    putAway: () => {
      trial.value = null;
    },
  };
}
