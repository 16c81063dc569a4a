import { useLocalStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { onScopeDispose, shallowRef, watch, type Ref, type ShallowRef } from 'vue';
import { useRoute, useRouter, type LocationQuery } from 'vue-router';
import type { TrendShown } from '../../../server/contract/trend-view.ts';
import type { Span } from '../../chart/night.ts';
import { useClient } from '../../client/client.ts';
import { comparisonOf, type Comparison } from './comparison.ts';
import { pastSpan, settled, spanOfQuery, usual_s } from './span.ts';
import { queryOf, shownAt, shownOf, type Shown } from './view.ts';

/** Base of degree hours without another choice, °C. */
const usualBase_c = 10;

/** Base of degree hours, °C, remembered on this device. */
export const useBase = (): Ref<number> => useLocalStorage('orangery.degree-base-c', usualBase_c);

/** What was shown when the page was left; null before, and where nothing was chosen. */
const useLastShown = defineStore('trends', () => ({ last: shallowRef<TrendShown | null>(null) }));

/**
 * What is shown, kept in the address so that it can be bookmarked and shared; opens another address of the page, as by
 * Back or a link. Who comes back to the bare address finds what was shown before.
 */
export function useShown(): {
  /** `device_id/measurement_id` of each line. */
  series: ShallowRef<string[]>;
  /** Those of them that are not drawn. */
  hidden: ShallowRef<string[]>;
  /** `device_id/channel` of each strip. */
  outputs: ShallowRef<string[]>;
  span: ShallowRef<Span>;
  /** What to compare with; null for nothing. */
  compare: ShallowRef<Comparison | null>;
  /** Whether the forecast is drawn ahead of now. */
  hasForecast: ShallowRef<boolean>;
  /** Base of degree hours, °C, remembered on this device. */
  base_c: Ref<number>;
  /** Sets the span, or the nearest valid one. */
  ask: (next: Span) => void;
  /** All of it, to be saved. */
  saved: () => TrendShown;
  /** Shows what was saved. */
  open: (stored: TrendShown) => void;
} {
  const route = useRoute();
  const router = useRouter();
  const { clock } = useClient();
  const remembered = useLastShown();
  const series = shallowRef<string[]>([]);
  const hidden = shallowRef<string[]>([]);
  const outputs = shallowRef<string[]>([]);
  const base_c = useBase();
  const hasForecast = shallowRef(false);
  const usual = (): Span => pastSpan(usual_s, clock.now(), hasForecast.value);
  const span = shallowRef<Span>(usual());
  const compare = shallowRef<Comparison | null>(null);

  function openAddress(query: LocationQuery): void {
    const listed = (name: string): string[] =>
      String(query[name] ?? '')
        .split(',')
        .filter(Boolean);
    series.value = listed('series');
    hidden.value = listed('hidden');
    outputs.value = listed('outputs');
    hasForecast.value = query['forecast'] === 'on';
    span.value = spanOfQuery(query) ?? usual();
    compare.value = comparisonOf(String(query['compare'] ?? ''));
  }

  const shown = (): Shown => ({
    series: series.value,
    hidden: hidden.value,
    outputs: outputs.value,
    span: span.value,
    compare: compare.value,
    hasForecast: hasForecast.value,
    base_c: base_c.value,
  });

  openAddress(route.query);
  const { path } = route;
  /** Addresses of what is shown that are on their way. */
  const written = new Set<string>();
  const stopFollowing = router.afterEach((to, _from, failure) => {
    if (!failure && to.path === path && !written.has(to.fullPath)) openAddress(to.query);
  });
  onScopeDispose(stopFollowing);

  watch([series, hidden, outputs, span, compare, hasForecast], () => {
    const address = router.resolve({ path, query: queryOf(shown(), clock.now()) });
    const now = router.currentRoute.value;
    // Even to the same address, going there would end the way to another page.
    if (now.path !== path || (now.fullPath === address.fullPath && written.size === 0)) return;
    written.add(address.fullPath);
    void router.replace(address).finally(() => written.delete(address.fullPath));
  });
  const ask = (next: Span): void => void (span.value = settled(next, clock.now(), hasForecast.value));
  const saved = (): TrendShown => shownOf(shown(), clock.now());
  function open(stored: TrendShown): void {
    const opened = shownAt(stored, clock.now());
    series.value = [...opened.series];
    hidden.value = [...opened.hidden];
    outputs.value = [...opened.outputs];
    compare.value = opened.compare;
    hasForecast.value = opened.hasForecast;
    base_c.value = opened.base_c;
    ask(opened.span);
  }

  if (Object.keys(route.query).length === 0 && remembered.last !== null) open(remembered.last);
  onScopeDispose(() => {
    remembered.last = series.value.length + outputs.value.length > 0 ? saved() : null;
  });
  return { series, hidden, outputs, span, compare, hasForecast, base_c, ask, saved, open };
}
