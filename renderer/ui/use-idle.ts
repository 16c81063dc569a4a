import { until } from '@vueuse/core';
import { onMounted, readonly, shallowRef, type Ref } from 'vue';
import { useClient } from '../client/client.ts';

const longestWaitMs = 2_000;

/** Runs once the browser is idle; Safari cannot tell, so it gets a delay. */
function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(run, { timeout: longestWaitMs });
  else setTimeout(run, 200);
}

/**
 * False until the page has every answer that it asked for and the browser is idle: what it needs only later must not
 * delay its first values.
 */
export function useIdle(): Readonly<Ref<boolean>> {
  const { waiting } = useClient();
  const isIdle = shallowRef(false);
  const wait = async (): Promise<void> => {
    await until(waiting).toBe(0);
    whenIdle(() => (waiting.value === 0 ? (isIdle.value = true) : void wait()));
  };
  onMounted(wait);
  return readonly(isIdle);
}
