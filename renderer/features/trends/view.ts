import { seriesKey } from '../../../server/contract/measured.ts';
import type { TrendShown } from '../../../server/contract/trend-view.ts';
import type { Span } from '../../chart/night.ts';
import { comparisonText, type Comparison } from './comparison.ts';
import { followsNow, pastOf, pastSpan, usual_s } from './span.ts';

/** What a page of trends shows. */
export interface Shown {
  /** `device_id/measurement_id` of each line. */
  series: readonly string[];
  /** Those of them that are not drawn. */
  hidden: readonly string[];
  /** `device_id/channel` of each strip. */
  outputs: readonly string[];
  span: Span;
  compare: Comparison | null;
  hasForecast: boolean;
  /** Base of degree hours, °C. */
  base_c: number;
}

/** All of it as a saved view stores it: a span that ends now goes on with time, any other keeps its dates. */
export function shownOf(
  { series, hidden, outputs, span, compare, hasForecast, base_c }: Shown,
  nowMs: number,
): TrendShown {
  const isFollowing = followsNow(span, nowMs, hasForecast);
  const span_s = isFollowing ? pastOf(span, hasForecast) : (span.to_ms - span.from_ms) / 1000;
  return {
    series: series.map(sourceOf),
    hidden: hidden.filter((key) => series.includes(key)).map(sourceOf),
    outputs: outputs.map((key) => {
      const [device_id = '', channel] = key.split('/');
      return { device_id, channel: Number(channel) };
    }),
    span_s: Math.round(span_s),
    ends_at: isFollowing ? null : new Date(span.to_ms).toISOString(),
    compare,
    has_forecast: hasForecast,
    degree_base_c: base_c,
  };
}

/** The inverse, at this time. */
export function shownAt(stored: TrendShown, nowMs: number): Shown {
  const { series, hidden, outputs, span_s, ends_at, compare, has_forecast, degree_base_c } = stored;
  const toMs = ends_at === null ? null : Date.parse(ends_at);
  return {
    series: series.map(seriesKey),
    hidden: hidden.map(seriesKey),
    outputs: outputs.map(({ device_id, channel }) => `${device_id}/${channel}`),
    span: toMs === null ? pastSpan(span_s, nowMs, has_forecast) : { from_ms: toMs - span_s * 1000, to_ms: toMs },
    compare,
    hasForecast: has_forecast,
    base_c: degree_base_c,
  };
}

/** As the address of the page keeps it; a span of the usual length that ends now goes without saying. */
export function queryOf(
  { series, hidden, outputs, span, compare, hasForecast }: Shown,
  nowMs: number,
): Record<string, string> {
  const { from_ms, to_ms } = span;
  const isUsual = followsNow(span, nowMs, hasForecast) && pastOf(span, hasForecast) === usual_s;
  const stillHidden = hidden.filter((key) => series.includes(key));
  const lists = Object.entries({ series, hidden: stillHidden, outputs }).filter(([, keys]) => keys.length > 0);
  return {
    ...Object.fromEntries(lists.map(([name, keys]) => [name, keys.join(',')])),
    ...(hasForecast && { forecast: 'on' }),
    ...(compare !== null && { compare: comparisonText(compare) }),
    ...(!isUsual && { from: String(from_ms), to: String(to_ms) }),
  };
}

/** The view that shows the same, if any, wherever its span lies; one of the same length first. */
export function viewLike<View extends { shown: TrendShown }>(
  views: readonly View[],
  shown: TrendShown,
): View | undefined {
  const like = views.filter((view) => subjectOf(view.shown) === subjectOf(shown));
  return like.find((view) => view.shown.span_s === shown.span_s) ?? like[0];
}

function subjectOf({ series, outputs, compare }: TrendShown): string {
  const driven = outputs.map(({ device_id, channel }) => `${device_id}/${channel}`);
  return JSON.stringify([series.map(seriesKey), driven, comparisonText(compare)]);
}

type Source = TrendShown['series'][number];

function sourceOf(key: string): Source {
  const [device_id = '', measurement_id = ''] = key.split('/');
  return { device_id, measurement_id };
}
