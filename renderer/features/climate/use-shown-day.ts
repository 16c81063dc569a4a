import { computed, shallowRef, type ComputedRef, type ShallowRef } from 'vue';
import { useFormat } from '../../ui/format.ts';
import { useNow } from '../../ui/now.ts';

const days = ['today', 'tomorrow'] as const;
type Day = (typeof days)[number];
type Span = readonly [from_ms: number, to_ms: number];

const hourMs = 3_600_000;

/** The day that is drawn, from midnight to midnight at the site. */
export function useShownDay(): {
  days: typeof days;
  shown: ShallowRef<Day>;
  span: ComputedRef<Span>;
  tomorrow: ComputedRef<Span>;
  /** The last midnight, ISO 8601. */
  midnight: () => string;
  /** The span of a preview of both days. */
  drawn: () => { from: string; hours: number };
} {
  const format = useFormat();
  const now = useNow();
  const shown = shallowRef<Day>('today');

  /** Epoch ms of a midnight; days may be an hour longer or shorter than 24 h. */
  function midnightOf(atMs: number): number {
    const iso = format.moment(`${format.written(atMs).slice(0, 10)}T00:00`);
    return iso === null ? atMs : Date.parse(iso);
  }

  const bounds = computed(() => {
    const first = midnightOf(now.value);
    const second = midnightOf(first + 30 * hourMs);
    return [first, second, midnightOf(second + 30 * hourMs)] as const;
  });
  const today = computed((): Span => [bounds.value[0], bounds.value[1]]);
  const tomorrow = computed((): Span => [bounds.value[1], bounds.value[2]]);
  const midnight = (): string => new Date(midnightOf(now.value)).toISOString();

  return {
    days,
    shown,
    tomorrow,
    midnight,
    span: computed(() => (shown.value === 'today' ? today.value : tomorrow.value)),
    drawn: () => ({ from: midnight(), hours: Math.ceil((bounds.value[2] - bounds.value[0]) / hourMs) }),
  };
}
