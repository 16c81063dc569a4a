import { shallowRef, watch, type ShallowRef } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import type { Span } from '../../chart/night.ts';
import { useClient } from '../../client/client.ts';
import { comparisonOf, comparisonText, type Comparison } from './comparison.ts';
import { followsNow, pastSpan, settled, spanOfQuery } from './span.ts';

const usual_s = 86_400;

/** What is shown, kept in the address so that it can be bookmarked and shared. */
export function useShown(): {
  /** `device_id/measurement_id` of each line. */
  series: ShallowRef<string[]>;
  /** `device_id/channel` of each strip. */
  outputs: ShallowRef<string[]>;
  span: ShallowRef<Span>;
  /** What to compare with; null for nothing. */
  compare: ShallowRef<Comparison | null>;
  /** Whether the forecast is drawn ahead of now. */
  hasForecast: ShallowRef<boolean>;
  /** Sets the span, or the nearest valid one. */
  ask: (next: Span) => void;
} {
  const route = useRoute();
  const router = useRouter();
  const { clock } = useClient();
  const listed = (name: string): string[] =>
    String(route.query[name] ?? '')
      .split(',')
      .filter(Boolean);
  const series = shallowRef(listed('series'));
  const outputs = shallowRef(listed('outputs'));
  const hasForecast = shallowRef(route.query['forecast'] === 'on');
  const usual = (): Span => pastSpan(usual_s, clock.now(), hasForecast.value);
  const span = shallowRef<Span>(spanOfQuery(route.query) ?? usual());

  const compare = shallowRef(comparisonOf(String(route.query['compare'] ?? '')));

  watch([series, outputs, span, compare, hasForecast], () => {
    const { from_ms: from, to_ms: to } = span.value;
    const isFollowing = followsNow(span.value, clock.now(), hasForecast.value);
    const isUsual = isFollowing && to - from === usual().to_ms - usual().from_ms;
    const lists = Object.entries({ series: series.value, outputs: outputs.value }).filter(
      ([, keys]) => keys.length > 0,
    );
    const query = Object.fromEntries<string>([
      ...lists.map(([name, keys]): [string, string] => [name, keys.join(',')]),
      ...(hasForecast.value ? [['forecast', 'on'] as [string, string]] : []),
      ...(compare.value === null ? [] : [['compare', comparisonText(compare.value)] as [string, string]]),
    ]);
    void router.replace({ query: { ...query, ...(isUsual ? {} : { from, to }) } });
  });
  const ask = (next: Span): void => void (span.value = settled(next, clock.now(), hasForecast.value));
  return { series, outputs, span, compare, hasForecast, ask };
}
