import { seriesKey } from '../../../server/contract/measured.ts';
import { computed, type ComputedRef, type Ref } from 'vue';
import type { Span } from '../../chart/night.ts';
import type { Lane, Line, LineKind } from '../../chart/lines.ts';
import { sensorTrust } from '../../../server/contract/safety.ts';
import type { ForecastAnswer } from '../../../server/contract/proxy.ts';
import { useClient } from '../../client/client.ts';
import { useSettings } from '../../stores/settings.ts';
import { digitsOf, showQuantity, shownUnit } from '../../units/quantity.ts';
import type { Channel } from './channels.ts';
import { forecastSeries } from './forecast-lines.ts';
import { meanOf, newestOf, rangeOf, rowKey, sumOf, valueAt, type LegendRow, type Sum } from './legend.ts';
import { bucketFor, followEveryMs, type TrendSeries } from './trend-series.ts';

/** A series that is laid beside a chosen channel: from another time, shifted to this span, or from another house. */
export interface Beside {
  /** Key of the chosen channel. */
  of: string;
  kind: 'earlier' | 'elsewhere';
  series: TrendSeries;
  /** Of the series. */
  channel: Channel;
  /** How much later than it was measured it is drawn, ms. */
  later_ms: number;
  /** When or where that was, in words. */
  place: string;
}

interface Drawn {
  trends: Readonly<Ref<readonly TrendSeries[]>>;
  /** Keys in the order of choosing: a line keeps its look while others come and go. */
  chosen: Readonly<Ref<readonly string[]>>;
  channels: Readonly<Ref<readonly Channel[]>>;
  span: Readonly<Ref<Span>>;
  /** Keys of those that are not drawn, with what they are compared with. */
  hidden?: Readonly<Ref<readonly string[]>>;
  /** Time under the pointer; null when it is not over the chart. */
  at_ms: Readonly<Ref<number | null>>;
  /** What the chosen channels are compared with. */
  besides?: Readonly<Ref<readonly Beside[]>>;
  /** The house of a chosen channel where it must be told from another; empty otherwise. */
  placeOf?: (key: string) => string;
  /** The forecast, when it is to be drawn. */
  forecast?: Readonly<Ref<ForecastAnswer | null>>;
  /** Start of the forecast, epoch ms. */
  now_ms?: Readonly<Ref<number>>;
  /** Degree hours by row. */
  degreeHours?: Readonly<Ref<ReadonlyMap<string, Sum>>>;
}

/** The series as lines in the site's units, and each one in words. The lines stay identical while the pointer moves. */
export function useDrawnLines({
  trends,
  chosen,
  channels,
  hidden,
  span,
  at_ms,
  besides,
  placeOf = () => '',
  forecast,
  now_ms,
  degreeHours,
}: Drawn): {
  lines: ComputedRef<Line[]>;
  /** The forecast lines. */
  expected: ComputedRef<Line[]>;
  rows: ComputedRef<LegendRow[]>;
} {
  const settings = useSettings();
  const { clock } = useClient();
  const channelOf = (key: string): Channel | undefined => channels.value.find((one) => one.key === key);

  const isHidden = (key: string): boolean => hidden?.value.includes(key) === true;

  /** By the sensor's resolution, else as is usual for the unit. */
  function digitsFor({ resolution, unit }: Pick<Channel, 'resolution' | 'unit'>): number {
    if (resolution !== undefined) return digitsOf(resolution, unit, settings.units);
    return showQuantity(1, unit, settings.units).digits;
  }

  /** Channels that measure the same quantity share an axis. */
  function laneOf(channel: Channel | undefined, unit: string): Lane {
    const name = channel?.measured ?? '';
    const digits = channel?.resolution === undefined ? undefined : digitsFor(channel);
    return {
      key: `${name} ${unit}`,
      title: [name, unit].filter(Boolean).join(' '),
      ...(digits !== undefined && { digits }),
    };
  }

  function drawn({ unit: wireUnit, times, values, band, ...ids }: TrendSeries, channel?: Channel): Omit<Line, 'look'> {
    const shown = (value: number | null) =>
      value === null ? null : showQuantity(value, wireUnit ?? '', settings.units).value;
    const unit = shownUnit(wireUnit ?? '', settings.units);
    return {
      key: seriesKey(ids),
      unit,
      times,
      lane: laneOf(channel, unit),
      values: values.map(shown),
      ...(band && { band: { least: band.least.map(shown), most: band.most.map(shown) } }),
    };
  }

  const own = computed(() =>
    trends.value.flatMap((series) => {
      const look = chosen.value.indexOf(seriesKey(series));
      return look < 0 ? [] : [{ series, line: { ...drawn(series, channelOf(seriesKey(series))), look } }];
    }),
  );
  const others = computed(() =>
    (besides?.value ?? []).flatMap((beside) => {
      const { series, channel, kind } = beside;
      const look = chosen.value.indexOf(beside.of);
      return look < 0 ? [] : [{ ...beside, line: { ...drawn(series, channel), look, kind } }];
    }),
  );
  /** One line for all channels of the same quantity, in the look of the first. */
  const expected = computed((): Line[] => {
    const answer = forecast?.value ?? null;
    const drawnOnce = new Map<string, Line>();
    for (const channel of answer === null ? [] : channels.value) {
      const { key, measurement, unit: wireUnit } = channel;
      if (isHidden(key)) continue;
      const series = answer && forecastSeries(answer, measurement, now_ms?.value ?? 0);
      if (series === null || drawnOnce.has(series.variable)) continue;
      const unit = shownUnit(wireUnit, settings.units);
      const values = series.values.map((value) =>
        value === null ? null : showQuantity(value, wireUnit, settings.units).value,
      );
      const line = {
        key: `forecast/${series.variable}`,
        look: chosen.value.indexOf(key),
        unit,
        lane: laneOf(channel, unit),
      };
      drawnOnce.set(series.variable, { ...line, times: series.times, values, kind: 'forecast' });
    }
    return [...drawnOnce.values()];
  });
  /** The band of what is beside would hide the line that it is compared with. */
  const lines = computed(() => [
    ...own.value.flatMap(({ line }) => (isHidden(line.key) ? [] : [line])),
    ...others.value.flatMap(({ of, line }) => (isHidden(of) ? [] : [withoutBand(line)])),
    ...expected.value,
  ]);

  /** A bucket has the time of its begin, and is read again only when pixels change. */
  function freshFor_ms({ stale_after_s }: Channel): number {
    const staleAfterMs = Math.max(sensorTrust.least_s, stale_after_s ?? 60) * 1000;
    return staleAfterMs + bucketFor(span.value).width_ms + followEveryMs(span.value);
  }

  function rowOf(channel: Channel, of: string, { kind, place, ...read }: Row): LegendRow {
    const { house, device, name } = channel;
    const base = {
      key: rowKey(of, kind),
      of,
      ...(kind && { kind }),
      isHidden: isHidden(of),
      place: [...new Set([house, place])].filter(Boolean).join(' · '),
      device,
      name,
      look: chosen.value.indexOf(of),
      unit: shownUnit(channel.unit, settings.units),
      digits: digitsFor(channel),
      freshFor_ms: freshFor_ms(channel),
    };
    if (read.line === undefined)
      return { ...base, value: null, newest_ms: null, mean: null, least: null, most: null, sum: null };
    const { line, series } = read;
    const withinMs = (span.value.to_ms - span.value.from_ms) / 50;
    const newest = newestOf(line);
    const value = at_ms.value === null ? newest.value : valueAt(line, at_ms.value, withinMs);
    const newest_ms = at_ms.value === null && kind !== 'earlier' ? newest.time_ms : null;
    const length_ms = Math.min(span.value.to_ms, clock.now()) - span.value.from_ms;
    const sum = degreeHours?.value.get(base.key) ?? (series === undefined ? null : sumOf(series, length_ms));
    return { ...base, unit: line.unit, value, newest_ms, mean: meanOf(line), ...rangeOf(line), sum };
  }

  const rows = computed(() =>
    channels.value.flatMap((channel) => [
      rowOf(channel, channel.key, {
        place: placeOf(channel.key),
        ...own.value.find(({ line }) => line.key === channel.key),
      }),
      ...others.value.filter(({ of }) => of === channel.key).map((one) => rowOf(one.channel, one.of, one)),
    ]),
  );

  return { lines, expected, rows };
}

interface Row {
  kind?: LineKind;
  place: string;
  line?: Line;
  series?: TrendSeries;
}

function withoutBand(line: Line): Line {
  const { band: _, ...bare } = line;
  return bare;
}
