import { computed, type ComputedRef, type Ref } from 'vue';
import type { Span } from '../../chart/night.ts';
import type { Lane, Line } from '../../chart/lines.ts';
import type { ForecastAnswer } from '../../../server/contract/proxy.ts';
import { useSettings } from '../../stores/settings.ts';
import { showQuantity, shownUnit } from '../../units/quantity.ts';
import type { Channel } from './channels.ts';
import { forecastSeries } from './forecast-lines.ts';
import { meanOf, newestOf, rangeOf, sumOf, valueAt, type LegendRow } from './legend.ts';
import type { TrendSeries } from './trend-series.ts';

interface Drawn {
  trends: Readonly<Ref<readonly TrendSeries[]>>;
  /** Keys in the order of choosing: a line keeps its look while others come and go. */
  chosen: Readonly<Ref<readonly string[]>>;
  channels: Readonly<Ref<readonly Channel[]>>;
  span: Readonly<Ref<Span>>;
  /** Time under the pointer; null when it is not over the chart. */
  at_ms: Readonly<Ref<number | null>>;
  /** The same series from another time, shifted to this span. */
  compared?: Readonly<Ref<readonly TrendSeries[]>>;
  /** The forecast, when it is to be drawn. */
  forecast?: Readonly<Ref<ForecastAnswer | null>>;
  /** Start of the forecast, epoch ms. */
  now_ms?: Readonly<Ref<number>>;
  /** Base of degree hours, °C. */
  base_c?: Readonly<Ref<number>>;
}

/** The series as lines in the site's units, and each one in words. The lines stay identical while the pointer moves. */
export function useDrawnLines({ trends, chosen, channels, span, at_ms, compared, forecast, now_ms, base_c }: Drawn): {
  lines: ComputedRef<Line[]>;
  /** The forecast lines. */
  expected: ComputedRef<Line[]>;
  rows: ComputedRef<LegendRow[]>;
} {
  const settings = useSettings();

  /** Channels that measure the same quantity share an axis. */
  function laneOf(key: string, unit: string): Lane {
    const name = channels.value.find((one) => one.key === key)?.measured ?? '';
    return { key: `${name} ${unit}`, title: [name, unit].filter(Boolean).join(', ') };
  }

  function drawn({ device_id, measurement_id, unit: wireUnit, times, values, band }: TrendSeries): Line[] {
    const key = `${device_id}/${measurement_id}`;
    const look = chosen.value.indexOf(key);
    if (look < 0) return [];
    const shown = (value: number | null) =>
      value === null ? null : showQuantity(value, wireUnit ?? '', settings.units).value;
    const unit = shownUnit(wireUnit ?? '', settings.units);
    return [
      {
        key,
        look,
        unit,
        times,
        lane: laneOf(key, unit),
        values: values.map(shown),
        ...(band && { band: { least: band.least.map(shown), most: band.most.map(shown) } }),
      },
    ];
  }

  const own = computed(() => trends.value.flatMap(drawn));
  const others = computed(() =>
    (compared?.value ?? []).flatMap(drawn).map(({ band: _, ...line }): Line => ({ ...line, isCompared: true })),
  );
  /** One line for all channels of the same quantity, in the look of the first. */
  const expected = computed((): Line[] => {
    const answer = forecast?.value ?? null;
    const drawnOnce = new Map<string, Line>();
    for (const { key, measurement, unit: wireUnit } of answer === null ? [] : channels.value) {
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
        lane: laneOf(key, unit),
      };
      drawnOnce.set(series.variable, { ...line, times: series.times, values, isForecast: true });
    }
    return [...drawnOnce.values()];
  });
  const lines = computed(() => [...own.value, ...others.value, ...expected.value]);

  const rows = computed(() =>
    channels.value.map((channel): LegendRow => {
      const line = own.value.find(({ key }) => key === channel.key);
      const { key, device, name } = channel;
      const base = {
        key,
        device,
        name,
        look: chosen.value.indexOf(key),
        unit: shownUnit(channel.unit, settings.units),
        digits: showQuantity(1, channel.unit, settings.units).digits,
      };
      if (line === undefined) return { ...base, value: null, mean: null, least: null, most: null, sum: null };
      const withinMs = (span.value.to_ms - span.value.from_ms) / 50;
      const value = at_ms.value === null ? newestOf(line) : valueAt(line, at_ms.value, withinMs);
      const read = trends.value.find((one) => `${one.device_id}/${one.measurement_id}` === key);
      const sum = read === undefined ? null : sumOf(read, base_c?.value ?? 0);
      return { ...base, unit: line.unit, value, mean: meanOf(line), ...rangeOf(line), sum };
    }),
  );

  return { lines, expected, rows };
}
