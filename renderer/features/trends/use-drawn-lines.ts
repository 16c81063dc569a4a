import { computed, type ComputedRef, type Ref } from 'vue';
import type { Trend } from '../../../server/contract/measurement-query.ts';
import type { Span } from '../../chart/night.ts';
import type { Line } from '../../chart/plot.ts';
import { useSettings } from '../../stores/settings.ts';
import { showQuantity, shownUnit } from '../../units/quantity.ts';
import type { Channel } from './channels.ts';
import { newestOf, rangeOf, valueAt, type LegendRow } from './legend.ts';

interface Drawn {
  trends: Readonly<Ref<readonly Trend[]>>;
  /** Keys in the order in which they were chosen: a line keeps its look while others come and go. */
  chosen: Readonly<Ref<readonly string[]>>;
  channels: Readonly<Ref<readonly Channel[]>>;
  span: Readonly<Ref<Span>>;
  /** Where the pointer is, null where it is not over the chart. */
  at_ms: Readonly<Ref<number | null>>;
}

/** What was read as lines in the units of the site, and each in words. The lines stay the same while the pointer moves. */
export function useDrawnLines({ trends, chosen, channels, span, at_ms }: Drawn): {
  lines: ComputedRef<Line[]>;
  rows: ComputedRef<LegendRow[]>;
} {
  const settings = useSettings();

  const lines = computed(() =>
    trends.value.flatMap((trend): Line[] => {
      const key = `${trend.device_id}/${trend.measurement_id}`;
      const look = chosen.value.indexOf(key);
      const unit = trend.unit ?? '';
      if (look < 0) return [];
      const shown = (value: number | null) => (value === null ? null : showQuantity(value, unit, settings.units).value);
      return [
        { key, look, unit: shownUnit(unit, settings.units), times: trend.times, values: trend.values.map(shown) },
      ];
    }),
  );

  const rows = computed(() =>
    channels.value.map((channel): LegendRow => {
      const line = lines.value.find(({ key }) => key === channel.key);
      const { key, device, name } = channel;
      const base = {
        key,
        device,
        name,
        look: chosen.value.indexOf(key),
        unit: shownUnit(channel.unit, settings.units),
      };
      if (line === undefined) return { ...base, value: null, least: null, most: null };
      const within_ms = (span.value.to_ms - span.value.from_ms) / 50;
      const value = at_ms.value === null ? newestOf(line) : valueAt(line, at_ms.value, within_ms);
      return { ...base, unit: line.unit, value, ...rangeOf(line) };
    }),
  );

  return { lines, rows };
}
