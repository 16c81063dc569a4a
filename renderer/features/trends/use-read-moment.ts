import { computed, shallowRef, watch, type ComputedRef, type Ref, type ShallowRef } from 'vue';
import type { Span } from '../../chart/night.ts';
import { momentWithin } from './span.ts';

/** The moment of a chart whose values are listed: under the pointer or at a mark, whichever came last. */
export function useReadMoment(span: Readonly<Ref<Span>>): {
  /** Under the pointer, epoch ms; null when it is not over the chart. */
  pointedMs: ShallowRef<number | null>;
  /** Marked by a click or the keys, epoch ms; null for none. */
  markedMs: ShallowRef<number | null>;
  /** Null for the newest values. */
  readMs: ComputedRef<number | null>;
} {
  const pointedMs = shallowRef<number | null>(null);
  const markedMs = shallowRef<number | null>(null);
  const readMs = computed(() => pointedMs.value ?? momentWithin(span.value, markedMs.value));
  // A pointer that rests on the chart keeps no mark of the keys from being read.
  watch(markedMs, () => (pointedMs.value = null), { flush: 'sync' });
  return { pointedMs, markedMs, readMs };
}
