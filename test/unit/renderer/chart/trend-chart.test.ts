// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import TrendChart from '../../../../renderer/chart/TrendChart.vue';
import { mounted } from '../ui/mounted.ts';

const looks = { lines: [], place: null, timeZone: 'UTC', language: 'en', isDark: false, label: '', keysText: '' };

it('marks a moment by the keyboard, and unmarks it', async () => {
  const chart = mounted(TrendChart, { props: { ...looks, span: { from_ms: 0, to_ms: 1000 }, markedMs: null } });
  await chart.trigger('keydown', { key: 'ArrowRight', shiftKey: true });
  expect(chart.emitted('update:markedMs')).toEqual([[510]]);
  await chart.setProps({ markedMs: 510 });
  await chart.trigger('keydown', { key: 'Escape' });
  expect(chart.emitted('update:markedMs')).toEqual([[510], [null]]);
});
