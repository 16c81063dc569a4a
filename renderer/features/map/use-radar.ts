import { useIntervalFn } from '@vueuse/core';
import { computed, shallowRef, watch, type Ref } from 'vue';
import { proxyEndpoints } from '../../../server/contract/proxy.ts';
import { useCall } from '../../client/client.ts';

const refreshMs = 5 * 60_000;

/** The frames of the rain radar while it is wanted, and the one that is looked at. */
export function useRadar(isWanted: Readonly<Ref<boolean>>) {
  const call = useCall();
  const times = shallowRef<number[]>([]);
  /** The last frame that was measured, epoch s; those after it are a forecast. */
  const newest = shallowRef<number | null>(null);
  const chosen = shallowRef<number | null>(null);
  const error = shallowRef<unknown>(null);

  async function load(): Promise<void> {
    if (!isWanted.value) return;
    try {
      const { radar } = await call(proxyEndpoints.radarMeta);
      times.value = [...radar.past, ...(radar.nowcast ?? [])].map(({ time }) => time);
      newest.value = radar.past.at(-1)?.time ?? null;
      error.value = null;
    } catch (thrown) {
      error.value = thrown;
    }
  }

  useIntervalFn(() => void load(), refreshMs);
  watch(isWanted, () => void load(), { immediate: true });

  /** Epoch s; the latest measured one until the user chooses another. */
  const time = computed(() => {
    if (!isWanted.value) return null;
    if (chosen.value !== null && times.value.includes(chosen.value)) return chosen.value;
    return newest.value ?? times.value.at(-1) ?? null;
  });
  const isForecast = computed(() => time.value !== null && newest.value !== null && time.value > newest.value);
  const index = computed({
    get: () => (time.value === null ? 0 : times.value.indexOf(time.value)),
    set: (wanted) => {
      const at = times.value[wanted] ?? null;
      chosen.value = at === newest.value ? null : at;
    },
  });
  return { times, time, isForecast, index, error, load };
}
