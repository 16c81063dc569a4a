import { watchDebounced } from '@vueuse/core';
import { computed, onScopeDispose, shallowRef, type ComputedRef, type ShallowRef } from 'vue';
import { measurementAnalyticsEndpoints } from '../../../server/contract/measurement-analytics.ts';
import type { Span } from '../../chart/night.ts';
import { isAborted } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import type { OutputChannel, Strip, StripStates } from './states.ts';

/** How long to wait after the last zoom before reading. */
const restMs = 120;

/** The states of outputs over a span, reloaded when it changes. */
export function useStrips(asked: () => { outputs: readonly OutputChannel[]; span: Span }): {
  /** Named as the page knows them by now: it may read houses and programs later than their states. */
  strips: ComputedRef<readonly Strip[]>;
  error: ShallowRef<unknown>;
} {
  const call = useCall();
  const told = shallowRef<ReadonlyMap<string, StripStates>>(new Map());
  const error = shallowRef<unknown>(null);
  let running: AbortController | undefined;

  async function load(): Promise<void> {
    running?.abort();
    const mine = (running = new AbortController());
    const { outputs, span } = asked();
    const [from, to] = [new Date(span.from_ms).toISOString(), new Date(span.to_ms).toISOString()];
    const read = async ({ key, device_id, channel }: OutputChannel): Promise<[string, StripStates]> => {
      const query = { device_id, channel, from, to };
      const options = { query, signal: mine.signal };
      const [{ states, is_complete: isComplete }, { switches, is_complete: hasAllSwitches }] = await Promise.all([
        call(measurementAnalyticsEndpoints.states, options),
        call(measurementAnalyticsEndpoints.switches, options),
      ]);
      return [key, { states, isComplete, switches, hasAllSwitches }];
    };
    try {
      const found = await Promise.all(outputs.map(read));
      if (mine !== running) return;
      told.value = new Map(found);
      error.value = null;
    } catch (thrown) {
      if (!isAborted(thrown) && mine === running) error.value = thrown;
    }
  }

  const strips = computed(() =>
    asked().outputs.flatMap(({ device_id: _, channel: __, ...named }): Strip[] => {
      const found = told.value.get(named.key);
      return found === undefined ? [] : [{ ...named, ...found }];
    }),
  );

  watchDebounced(() => JSON.stringify([asked().outputs.map(({ key }) => key), asked().span]), load, {
    debounce: restMs,
    immediate: true,
  });
  onScopeDispose(() => running?.abort());
  return { strips, error };
}
