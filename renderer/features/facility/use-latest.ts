import { watchDebounced } from '@vueuse/core';
import { computed, onScopeDispose, shallowRef, type ComputedRef, type ShallowRef } from 'vue';
import { isAborted } from '../../client/api-error.ts';

/** How long to wait after the last keystroke before recalculating. */
const restMs = 150;

export interface Latest<Answer> {
  /** The latest answer, kept while a newer one is on its way. */
  result: ShallowRef<Answer | null>;
  error: ShallowRef<unknown>;
  isBusy: ShallowRef<boolean>;
  /** Whether the answer belongs to the present entries. */
  isCurrent: ComputedRef<boolean>;
}

/** The answer for the present entries; late answers are dropped. Sends nothing while the request is null. */
export function useLatest<Request extends object, Answer>(
  request: () => Request | null,
  ask: (request: Request, signal: AbortSignal) => Promise<Answer>,
): Latest<Answer> {
  const result = shallowRef<Answer | null>(null);
  const error = shallowRef<unknown>(null);
  const isBusy = shallowRef(false);
  const text = computed(() => JSON.stringify(request()));
  const answeredText = shallowRef('');
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
      const answer = await ask(asked, mine.signal);
      if (mine !== running) return;
      result.value = answer;
      error.value = null;
      answeredText.value = askedText;
    } catch (thrown) {
      if (isAborted(thrown) || mine !== running) return;
      error.value = thrown;
    }
    isBusy.value = false;
  }

  watchDebounced(text, run, { debounce: restMs, immediate: true });
  onScopeDispose(() => running?.abort());
  return { result, error, isBusy, isCurrent: computed(() => text.value === answeredText.value) };
}
