import { watchDebounced } from '@vueuse/core';
import { onScopeDispose, shallowRef, type ShallowRef } from 'vue';
import { measurementAnalyticsEndpoints } from '../../../server/contract/measurement-analytics.ts';
import type { Span } from '../../chart/night.ts';
import { isAborted } from '../../client/api-error.ts';
import { useCall, useClient } from '../../client/client.ts';
import type { Sum } from './legend.ts';

/** How long to wait after the last zoom before reading. */
const restMs = 300;
/** A sum over all samples is costly: while a span moves with time it is read again after this part of the span. */
const moves = 1 / 200;
/** The longest span of a sum. */
const longestMs = 3_652 * 86_400_000;

/** A temperature in the legend. */
interface Warmth {
  /** Key of its row. */
  row: string;
  device_id: string;
  measurement_id: string;
  /** How much later than it was measured it is drawn, ms. */
  later_ms: number;
}

interface Asked {
  lines: readonly Warmth[];
  span: Span;
  base_c: number;
}

/**
 * Degree hours of temperatures above a base, by row of the legend. The server sums all that was measured: means of the
 * chart's buckets would leave out every warm noon of a cold day.
 */
export function useDegreeHours(asked: () => Asked): {
  sums: ShallowRef<ReadonlyMap<string, Sum>>;
  error: ShallowRef<unknown>;
  load: () => Promise<void>;
} {
  const call = useCall();
  const { clock } = useClient();
  const sums = shallowRef<ReadonlyMap<string, Sum>>(new Map());
  const error = shallowRef<unknown>(null);
  let running: AbortController | undefined;
  let shownBase_c: number | undefined;

  async function load(): Promise<void> {
    running?.abort();
    const mine = (running = new AbortController());
    const { lines, span, base_c } = asked();
    if (base_c !== shownBase_c) sums.value = new Map(); // above another base it is another sum
    shownBase_c = base_c;
    const toMs = Math.min(span.to_ms, clock.now());
    const fromMs = Math.max(span.from_ms, toMs - longestMs);
    const readOne = async ({ row, device_id, measurement_id, later_ms }: Warmth): Promise<[string, Sum]> => {
      const [from, to] = [fromMs - later_ms, toMs - later_ms].map((atMs) => new Date(atMs).toISOString());
      const query = { device_id, measurement_id, from: from ?? '', to: to ?? '', base_c };
      const answer = await call(measurementAnalyticsEndpoints.degreeTime, { query, signal: mine.signal });
      const covered = (answer.covered_s * 1000) / (toMs - span.from_ms);
      return [row, { value: answer.degree_hours, unit: 'K h', covered }];
    };
    try {
      const read = new Map(toMs > fromMs ? await Promise.all(lines.map(readOne)) : []);
      if (mine !== running) return;
      sums.value = read;
      error.value = null;
    } catch (thrown) {
      if (!isAborted(thrown) && mine === running) error.value = thrown;
    }
  }

  function due(): string {
    const { lines, span, base_c } = asked();
    const stepMs = (span.to_ms - span.from_ms) * moves;
    return JSON.stringify([lines, base_c, ...[span.from_ms, span.to_ms].map((atMs) => Math.floor(atMs / stepMs))]);
  }

  watchDebounced(due, load, { debounce: restMs, immediate: true });
  onScopeDispose(() => running?.abort());
  return { sums, error, load };
}
