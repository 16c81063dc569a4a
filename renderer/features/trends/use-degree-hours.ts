import { watchDebounced } from '@vueuse/core';
import { computed, onScopeDispose, shallowRef, type ComputedRef, type ShallowRef } from 'vue';
import { measurementAnalyticsEndpoints } from '../../../server/contract/measurement-analytics.ts';
import type { Span } from '../../chart/night.ts';
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

/** A sum with what it is of. */
interface Read {
  of: string;
  span: Span;
  sum: Sum;
}

/**
 * Degree hours of temperatures above a base, by row of the legend. The server sums all that was measured: means of the
 * chart's buckets would leave out every warm noon of a cold day.
 */
export function useDegreeHours(asked: () => Asked): {
  sums: ComputedRef<ReadonlyMap<string, Sum>>;
  error: ShallowRef<unknown>;
  load: () => Promise<void>;
} {
  const call = useCall();
  const { clock } = useClient();
  const read = shallowRef<ReadonlyMap<string, Read>>(new Map());
  const error = shallowRef<unknown>(null);
  let running: AbortController | undefined;

  /** None of another base or span: such a one must not stand beside the chart. */
  const sums = computed(() => {
    const { lines, span, base_c } = asked();
    const found = new Map<string, Sum>();
    for (const line of lines) {
      const known = read.value.get(line.row);
      if (known?.of === sumOf(line, base_c) && isNear(known.span, span)) found.set(line.row, known.sum);
    }
    return found;
  });

  /** Each by itself: one that fails leaves the others. */
  async function load(): Promise<void> {
    running?.abort();
    const mine = (running = new AbortController());
    const { lines, span, base_c } = asked();
    const toMs = Math.min(span.to_ms, clock.now());
    const fromMs = Math.max(span.from_ms, toMs - longestMs);
    const readOne = async (line: Warmth): Promise<void> => {
      const { device_id, measurement_id, later_ms } = line;
      const [from, to] = [fromMs - later_ms, toMs - later_ms].map((atMs) => new Date(atMs).toISOString());
      const query = { device_id, measurement_id, from: from ?? '', to: to ?? '', base_c };
      const answer = await call(measurementAnalyticsEndpoints.degreeTime, { query, signal: mine.signal });
      const covered = (answer.covered_s * 1000) / (toMs - span.from_ms);
      const sum = { value: answer.degree_hours, unit: 'K h', covered };
      if (mine === running) read.value = new Map(read.value).set(line.row, { of: sumOf(line, base_c), span, sum });
    };
    const ends = await Promise.allSettled(toMs > fromMs ? lines.map(readOne) : []);
    if (mine !== running) return;
    error.value = ends.find((end) => end.status === 'rejected')?.reason ?? null;
  }

  function due(): string {
    const { lines, span, base_c } = asked();
    const stepMs = stepOf(span);
    return JSON.stringify([lines, base_c, ...[span.from_ms, span.to_ms].map((atMs) => Math.floor(atMs / stepMs))]);
  }

  watchDebounced(due, load, { debounce: restMs, immediate: true });
  onScopeDispose(() => running?.abort());
  return { sums, error, load };
}

/** What is summed, apart from the span. */
function sumOf(line: Warmth, base_c: number): string {
  return JSON.stringify([line, base_c]);
}

function stepOf({ from_ms, to_ms }: Span): number {
  return (to_ms - from_ms) * moves;
}

/** Whether a span has only moved with time since the other, by no more than it does until it is summed again. */
function isNear(one: Span, other: Span): boolean {
  const mostMs = 2 * stepOf(other);
  return Math.abs(one.from_ms - other.from_ms) <= mostMs && Math.abs(one.to_ms - other.to_ms) <= mostMs;
}
