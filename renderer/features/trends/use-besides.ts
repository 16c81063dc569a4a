import { seriesKey } from '../../../server/contract/measured.ts';
import { computed, onMounted, shallowRef, type ComputedRef, type Ref } from 'vue';
import type { Span } from '../../chart/night.ts';
import { useText } from '../../i18n/index.ts';
import { useFacilities } from '../../stores/facility.ts';
import type { Channel } from './channels.ts';
import { backMs, type Comparison } from './comparison.ts';
import { houseOf, housesBeside, otherHouse, type HouseSensors } from './other-house.ts';
import type { Beside } from './use-drawn-lines.ts';
import { useComparedLines, useTrendLines } from './use-trend-lines.ts';

interface Compared {
  chosen: Readonly<Ref<readonly Channel[]>>;
  channels: Readonly<Ref<readonly Channel[]>>;
  span: Readonly<Ref<Span>>;
  comparison: Readonly<Ref<Comparison | null>>;
}

/** Reads what the chosen channels are compared with. */
export function useBesides({ chosen, channels, span, comparison }: Compared): {
  besides: ComputedRef<Beside[]>;
  /** The house of a channel while houses are compared; empty otherwise. */
  placeOf: (key: string) => string;
  /** Houses to compare with, and the one that is. */
  houses: ComputedRef<readonly HouseSensors[]>;
  /** Keys of the other house's channels. */
  keys: ComputedRef<string[]>;
  /** What cannot be compared: with which house, null for one that is gone, and the channels. */
  missing: ComputedRef<{ house: string | null; names: string[] } | null>;
  error: ComputedRef<unknown>;
} {
  const { t } = useText();
  const facilities = useFacilities();
  const areHousesRead = shallowRef(false);
  // Without the houses there are the earlier times.
  onMounted(() => {
    const read = (): void => void (areHousesRead.value = true);
    void facilities.load().then(read, () => undefined);
  });

  const keys = computed(() => chosen.value.map(({ key }) => key));
  const other = computed(() => {
    const asked = comparison.value;
    if (asked?.with !== 'house') return null;
    return facilities.list.find(({ unique_id }) => unique_id === asked.facility_uuid) ?? null;
  });
  const paired = computed(() => (other.value === null ? null : otherHouse(keys.value, facilities.list, other.value)));
  const otherKeys = computed(() => paired.value?.pairs.map(({ key }) => key) ?? []);

  const earlier = useComparedLines(() => ({
    keys: keys.value,
    span: span.value,
    before_ms: comparison.value?.with === 'earlier' ? backMs[comparison.value.back] : null,
  }));
  const elsewhere = useTrendLines(() => ({ keys: otherKeys.value, span: span.value, follow: null }));

  const besides = computed((): Beside[] => {
    const asked = comparison.value;
    if (asked === null) return [];
    const find = (key: string) => channels.value.find((one) => one.key === key);
    const read = asked.with === 'earlier' ? earlier.compared.value : elsewhere.trends.value;
    const pairs = paired.value?.pairs ?? keys.value.map((key) => ({ of: key, key }));
    const [kind, later_ms] =
      asked.with === 'earlier' ? (['earlier', backMs[asked.back]] as const) : (['elsewhere', 0] as const);
    const place = asked.with === 'earlier' ? t(`trends.comparisons.${asked.back}`) : (other.value?.name ?? '');
    return pairs.flatMap(({ of, key }) => {
      const [channel, series] = [find(key), read.find((one) => seriesKey(one) === key)];
      return channel === undefined || series === undefined ? [] : [{ of, kind, series, channel, later_ms, place }];
    });
  });
  const missing = computed(() => {
    if (comparison.value?.with !== 'house') return null;
    if (other.value === null) return areHousesRead.value ? { house: null, names: [] } : null;
    const names = chosen.value.filter(({ key }) => paired.value?.missing.includes(key)).map(({ name }) => name);
    return names.length === 0 ? null : { house: other.value.name, names };
  });

  return {
    besides,
    placeOf: (key) => (other.value === null ? '' : (houseOf(key, facilities.list)?.name ?? '')),
    houses: computed(() => {
      const offered = housesBeside(keys.value, facilities.list);
      return facilities.list.filter((house) => house === other.value || offered.includes(house));
    }),
    keys: otherKeys,
    missing,
    error: computed(() => earlier.error.value ?? elsewhere.error.value),
  };
}
