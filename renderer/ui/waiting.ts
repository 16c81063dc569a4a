import { computed, shallowRef, type ComputedRef } from 'vue';
import { isApiError } from '../client/api-error.ts';
import { useClient } from '../client/client.ts';
import { useNow } from './now.ts';

export interface Waiting {
  /** Whole seconds until the server accepts another attempt; 0 when it does. */
  left_s: ComputedRef<number>;
  /** Starts waiting if the error says how long. */
  begin(error: unknown): void;
}

/** Counts down the time of a refusal with Retry-After. */
export function useWaiting(): Waiting {
  const { clock } = useClient();
  const now = useNow();
  const asked = shallowRef({ seconds: 0, until: 0 });
  /** The shared clock may lag by a second: never show more than was requested. */
  const left_s = computed(() => {
    const left = Math.ceil((asked.value.until - now.value) / 1000);
    return Math.min(asked.value.seconds, Math.max(0, left));
  });
  return {
    left_s,
    begin: (error) => {
      const seconds = isApiError(error) ? error.retryAfter_s : undefined;
      if (seconds !== undefined) asked.value = { seconds, until: clock.now() + seconds * 1000 };
    },
  };
}
