import { watchDebounced } from '@vueuse/core';
import { computed, onScopeDispose, shallowRef } from 'vue';
import type { ComputedRef, ShallowRef } from 'vue';
import type { ComputeRequest, ComputeResult } from '../../../server/contract/facility.ts';
import { isAborted } from '../../client/api-error.ts';
import { useFacilities } from '../../stores/facility.ts';

/** Typing rests for this long before the loads are computed again. */
const restMs = 150;

export interface Capacity {
  /** The last figures, kept while newer ones are on their way. */
  result: ShallowRef<ComputeResult | null>;
  error: ShallowRef<unknown>;
  isBusy: ShallowRef<boolean>;
  /** Whether the figures belong to what is entered now. */
  isCurrent: ComputedRef<boolean>;
}

/** Loads and ventilation of what is being entered; an answer that came too late is dropped. */
export function useCapacity(request: () => ComputeRequest | null): Capacity {
  const facilities = useFacilities();
  const result = shallowRef<ComputeResult | null>(null);
  const error = shallowRef<unknown>(null);
  const isBusy = shallowRef(false);
  const text = computed(() => JSON.stringify(request()));
  const computedText = shallowRef('');
  let running: AbortController | undefined;

  async function run(): Promise<void> {
    running?.abort();
    const asked = request();
    const askedText = text.value;
    if (asked === null) {
      isBusy.value = false;
      return;
    }
    const mine = new AbortController();
    running = mine;
    isBusy.value = true;
    try {
      const answer = await facilities.compute(asked, mine.signal);
      if (mine !== running) return;
      result.value = answer;
      error.value = null;
      computedText.value = askedText;
    } catch (thrown) {
      if (isAborted(thrown) || mine !== running) return;
      error.value = thrown;
    }
    isBusy.value = false;
  }

  watchDebounced(text, run, { debounce: restMs, immediate: true });
  onScopeDispose(() => running?.abort());
  return { result, error, isBusy, isCurrent: computed(() => text.value === computedText.value) };
}
