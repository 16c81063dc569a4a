// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import TrendLegend from '../../../../../renderer/features/trends/TrendLegend.vue';
import type { LegendRow } from '../../../../../renderer/features/trends/legend.ts';
import { mounted } from '../../ui/mounted.ts';

const moment = Date.UTC(2026, 5, 1, 9, 30);
const row: LegendRow = {
  key: 'box/air',
  of: 'box/air',
  isHidden: false,
  place: '',
  device: 'Box',
  name: 'Air',
  unit: '°C',
  look: 0,
  digits: 1,
  value: 21.3,
  newest_ms: null,
  freshFor_ms: 0,
  mean: null,
  least: null,
  most: null,
  sum: null,
};
const hidden: LegendRow = { ...row, key: 'box/soil', of: 'box/soil', name: 'Soil', isHidden: true };
const legendAt = (atMs: number | null, markedMs: number | null) =>
  mounted(TrendLegend, { props: { rows: [row, hidden], atMs, markedMs, isDark: false } });
const read = (legend: ReturnType<typeof legendAt>): string => legend.get('[role=status]').text();

it('reads out the values at a mark, of the drawn lines alone', () => {
  const spoken = read(legendAt(moment, moment));
  expect(spoken).toMatch(/^Marked: .*09:30, Air Box: 21\.3\s°C$/);
});

it('writes times in words, and a missing value without a unit', () => {
  const rows = [
    { ...row, unit: 'd', digits: 0, value: 2 },
    { ...row, value: null },
  ];
  const legend = mounted(TrendLegend, { props: { rows, atMs: moment, markedMs: moment, isDark: false } });
  expect(read(legend)).toMatch(/: 2 days, .*: –$/);
  expect(legend.findAll('strong').map((value) => value.text())).toEqual(['2 days', '–']);
});

it('reads out nothing of the newest values, nor of those under the pointer', () => {
  expect(read(legendAt(null, null))).toBe('');
  expect(read(legendAt(moment + 60_000, moment))).toBe('');
});

it('goes back to the newest values', async () => {
  const legend = legendAt(moment, moment);
  await legend.get('[aria-label="Remove the mark: show the newest values"]').trigger('click');
  expect(legend.emitted('unmark')).toHaveLength(1);
});
