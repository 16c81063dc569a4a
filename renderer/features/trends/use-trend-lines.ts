import { useIntervalFn, watchDebounced } from '@vueuse/core';
import { onScopeDispose, shallowRef, type ShallowRef } from 'vue';
import { measurementEndpoints } from '../../../server/contract/measurement-query.ts';
import type { Span } from '../../chart/night.ts';
import { isAborted } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { bucketFor, followEveryMs, leastFollowMs, seriesOf, type TrendSeries } from './trend-series.ts';

/** How long to wait after the last zoom before reading. */
const restMs = 120;

export interface TrendLines {
  trends: ShallowRef<readonly TrendSeries[]>;
  error: ShallowRef<unknown>;
  isLoading: ShallowRef<boolean>;
  load: () => Promise<void>;
}

interface Asked {
  /** `device_id/measurement_id` of each. */
  keys: readonly string[];
  span: Span;
  /** Shifts the readings later by this, ms; default 0. */
  later_ms?: number;
  /** Called while the span moves with time. */
  follow: (() => void) | null;
}

/** The series of a span, reloaded when it changes; late answers are dropped. */
export function useTrendLines(asked: () => Asked): TrendLines {
  const call = useCall();
  const trends = shallowRef<readonly TrendSeries[]>([]);
  const error = shallowRef<unknown>(null);
  const isLoading = shallowRef(false);
  let running: AbortController | undefined;
  let readAtMs = 0;

  async function load(): Promise<void> {
    running?.abort();
    const { keys, span, later_ms = 0 } = asked();
    if (keys.length === 0) {
      running = undefined;
      trends.value = [];
      error.value = null;
      isLoading.value = false;
      return;
    }
    const mine = new AbortController();
    running = mine;
    isLoading.value = true;
    readAtMs = Date.now();
    try {
      const read = await readSeries(keys, span, mine.signal);
      if (mine !== running) return;
      trends.value =
        later_ms === 0 ? read : read.map((one) => ({ ...one, times: one.times.map((at) => at + later_ms) }));
      error.value = null;
    } catch (thrown) {
      if (isAborted(thrown) || mine !== running) return;
      error.value = thrown;
    }
    isLoading.value = false;
  }

  async function readSeries(keys: readonly string[], span: Span, signal: AbortSignal): Promise<TrendSeries[]> {
    const query = { series: keys.join(','), from: iso(span.from_ms), to: iso(span.to_ms) };
    const { bucket } = bucketFor(span);
    if (bucket === null) return (await call(measurementEndpoints.multi, { query, signal })).series;
    const inBuckets = { ...query, bucket, aggregates: 'mean,min,max' };
    return seriesOf(await call(measurementEndpoints.aggregated, { query: inBuckets, signal }));
  }

  useIntervalFn(() => {
    const { span, follow } = asked();
    if (follow !== null && !document.hidden && Date.now() - readAtMs >= followEveryMs(span)) follow();
  }, leastFollowMs / 2);
  watchDebounced(() => JSON.stringify([asked().keys, asked().span]), load, { debounce: restMs, immediate: true });
  onScopeDispose(() => running?.abort());
  return { trends, error, isLoading, load };
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}

/** The same series at an earlier time, shifted to the span they are compared with. */
export function useComparedLines(asked: () => { keys: readonly string[]; span: Span; before_ms: number | null }) {
  const { trends, error } = useTrendLines(() => {
    const { keys, span, before_ms } = asked();
    const laterMs = before_ms ?? 0;
    const earlier = { from_ms: span.from_ms - laterMs, to_ms: span.to_ms - laterMs };
    return { keys: before_ms === null ? [] : keys, span: earlier, later_ms: laterMs, follow: null };
  });
  return { compared: trends, error };
}
