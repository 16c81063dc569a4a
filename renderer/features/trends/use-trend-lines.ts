import { useIntervalFn, watchDebounced } from '@vueuse/core';
import { onScopeDispose, shallowRef, type ShallowRef } from 'vue';
import { measurementEndpoints, type Trend } from '../../../server/contract/measurement-query.ts';
import type { Span } from '../../chart/night.ts';
import { isAborted } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';

/** A zoom rests for this long before it is read. */
const restMs = 120;
/** A span that goes on with the time is read again this often, and no more often than its pixels change. */
const leastFollowMs = 2_000;
const followSteps = 1_000;

export interface TrendLines {
  trends: ShallowRef<readonly Trend[]>;
  error: ShallowRef<unknown>;
  isLoading: ShallowRef<boolean>;
  load: () => Promise<void>;
}

interface Asked {
  /** `device_id/measurement_id` of each. */
  keys: readonly string[];
  span: Span;
  /** Called while the span goes on with the time. */
  follow: (() => void) | null;
}

/** The series of a span, read again as it changes; an answer that came too late is dropped. */
export function useTrendLines(asked: () => Asked): TrendLines {
  const call = useCall();
  const trends = shallowRef<readonly Trend[]>([]);
  const error = shallowRef<unknown>(null);
  const isLoading = shallowRef(false);
  let running: AbortController | undefined;
  let readAtMs = 0;

  async function load(): Promise<void> {
    running?.abort();
    const { keys, span } = asked();
    if (keys.length === 0) {
      trends.value = [];
      return;
    }
    const mine = new AbortController();
    running = mine;
    isLoading.value = true;
    readAtMs = Date.now();
    try {
      const query = { series: keys.join(','), from: iso(span.from_ms), to: iso(span.to_ms) };
      const answer = await call(measurementEndpoints.multi, { query, signal: mine.signal });
      if (mine !== running) return;
      trends.value = answer.series;
      error.value = null;
    } catch (thrown) {
      if (isAborted(thrown) || mine !== running) return;
      error.value = thrown;
    }
    isLoading.value = false;
  }

  useIntervalFn(() => {
    const { span, follow } = asked();
    const every = Math.max(leastFollowMs, (span.to_ms - span.from_ms) / followSteps);
    if (follow !== null && !document.hidden && Date.now() - readAtMs >= every) follow();
  }, leastFollowMs / 2);
  watchDebounced(() => JSON.stringify([asked().keys, asked().span]), load, { debounce: restMs, immediate: true });
  onScopeDispose(() => running?.abort());
  return { trends, error, isLoading, load };
}

function iso(at_ms: number): string {
  return new Date(at_ms).toISOString();
}
