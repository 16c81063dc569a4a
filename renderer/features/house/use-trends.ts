import { shallowReactive, watch } from 'vue';
import { useLive } from '../../stores/live.ts';
import { withSample, type Sample } from './trend.ts';

export interface Trends {
  of(key: string): readonly Sample[];
  add(key: string, sample: Sample): void;
}

/** The last ten minutes of some measurements, kept from the live values since the screen was opened. */
export function useTrends(measurementIds: () => readonly string[]): Trends {
  const live = useLive();
  const kept = shallowReactive(new Map<string, readonly Sample[]>());

  function add(key: string, sample: Sample): void {
    kept.set(key, withSample(kept.get(key) ?? [], sample));
  }

  watch(
    () => measurementIds().map((id) => live.value(id)?.time_ms),
    () => {
      for (const id of measurementIds()) {
        const value = live.value(id);
        if (value !== undefined) add(id, { time_ms: value.time_ms, value: value.value });
      }
    },
    { immediate: true },
  );

  return { of: (key) => kept.get(key) ?? [], add };
}
