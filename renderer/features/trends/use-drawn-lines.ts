import { computed } from 'vue';
import type { ComputedRef } from 'vue';
import type { Trend } from '../../../server/contract/measurement-query.ts';
import type { Span } from '../../chart/night.ts';
import type { Line } from '../../chart/plot.ts';
import { useSettings } from '../../stores/settings.ts';
import { showQuantity, shownUnit } from '../../units/quantity.ts';
import type { Channel } from './channels.ts';
import { newestOf, rangeOf, valueAt, type LegendRow } from './legend.ts';

interface Drawn {
  trends: readonly Trend[];
  /** Keys in the order in which they were chosen: a line keeps its look while others come and go. */
  chosen: readonly string[];
  channels: readonly Channel[];
  span: Span;
  /** Where the pointer is, null where it is not over the chart. */
  at_ms: number | null;
}

/** What was read as lines in the units of the site, and each in words. */
export function useDrawnLines(drawn: () => Drawn): { lines: ComputedRef<Line[]>; rows: ComputedRef<LegendRow[]> } {
  const settings = useSettings();

  const lines = computed(() => {
    const { trends, chosen } = drawn();
    return trends.flatMap((trend): Line[] => {
      const key = `${trend.device_id}/${trend.measurement_id}`;
      const look = chosen.indexOf(key);
      const unit = trend.unit ?? '';
      if (look < 0) return [];
      const shown = (value: number | null) => value && showQuantity(value, unit, settings.units).value;
      return [
        { key, look, unit: shownUnit(unit, settings.units), times: trend.times, values: trend.values.map(shown) },
      ];
    });
  });

  const rows = computed(() => {
    const { channels, chosen, span, at_ms } = drawn();
    return channels.map((channel): LegendRow => {
      const line = lines.value.find(({ key }) => key === channel.key);
      const { key, device, name } = channel;
      const base = { key, device, name, look: chosen.indexOf(key), unit: shownUnit(channel.unit, settings.units) };
      if (line === undefined) return { ...base, value: null, least: null, most: null };
      const within_ms = (span.to_ms - span.from_ms) / 50;
      const value = at_ms === null ? newestOf(line) : valueAt(line, at_ms, within_ms);
      return { ...base, unit: line.unit, value, ...rangeOf(line) };
    });
  });

  return { lines, rows };
}
