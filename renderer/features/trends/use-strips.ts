import { watchDebounced } from '@vueuse/core';
import { onScopeDispose, shallowRef, type ShallowRef } from 'vue';
import { measurementAnalyticsEndpoints } from '../../../server/contract/measurement-analytics.ts';
import type { Span } from '../../chart/night.ts';
import { isAborted } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import type { OutputChannel, Strip } from './states.ts';

/** How long to wait after the last zoom before reading. */
const restMs = 120;

/** The states of outputs over a span, reloaded when it changes. */
export function useStrips(asked: () => { outputs: readonly OutputChannel[]; span: Span }): {
  strips: ShallowRef<readonly Strip[]>;
  error: ShallowRef<unknown>;
} {
  const call = useCall();
  const strips = shallowRef<readonly Strip[]>([]);
  const error = shallowRef<unknown>(null);
  let running: AbortController | undefined;

  async function load(): Promise<void> {
    running?.abort();
    const mine = (running = new AbortController());
    const { outputs, span } = asked();
    const [from, to] = [new Date(span.from_ms).toISOString(), new Date(span.to_ms).toISOString()];
    const read = async ({ device_id, channel, ...named }: OutputChannel): Promise<Strip> => {
      const query = { device_id, channel, from, to };
      const options = { query, signal: mine.signal };
      const [{ states, is_complete: isComplete }, { switches, is_complete: hasAllSwitches }] = await Promise.all([
        call(measurementAnalyticsEndpoints.states, options),
        call(measurementAnalyticsEndpoints.switches, options),
      ]);
      return { ...named, states, isComplete, switches, hasAllSwitches };
    };
    try {
      const found = await Promise.all(outputs.map(read));
      if (mine !== running) return;
      strips.value = found;
      error.value = null;
    } catch (thrown) {
      if (!isAborted(thrown) && mine === running) error.value = thrown;
    }
  }

  watchDebounced(() => JSON.stringify([asked().outputs.map(({ key }) => key), asked().span]), load, {
    debounce: restMs,
    immediate: true,
  });
  onScopeDispose(() => running?.abort());
  return { strips, error };
}
