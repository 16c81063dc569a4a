import { useIntervalFn } from '@vueuse/core';
import { computed, shallowRef, type ComputedRef, type ShallowRef } from 'vue';
import {
  pidAutotuneEndpoints,
  type PidAutotune,
  type PidAutotuneStart,
} from '../../../server/contract/pid-autotune.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';

/** How often a running trial is asked how far it is. */
const everyMs = 3_000;

interface PidTrial {
  /** As last told; null while nobody knows, or after it was put away. */
  trial: ShallowRef<PidAutotune | null>;
  isRunning: ComputedRef<boolean>;
  begin: (asked: PidAutotuneStart) => Promise<void>;
  abort: () => Promise<void>;
  /** What it proposed, or why it failed, is no longer shown here. */
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
      if (!isApiError(error)) throw error; // of one that does not run there is nothing to tell
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
