// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { defineComponent, h } from 'vue';
import { useWidgetTitle } from '../../../../../renderer/features/dashboards/widget-title.ts';
import { useLive } from '../../../../../renderer/stores/live.ts';
import type { Device } from '../../../../../server/contract/device.ts';
import { mounted } from '../../ui/mounted.ts';

const place = { id: 'one', column: 0, row: 0, columns: 12, rows: 8 };
const box = (id: string, name: string): Device => ({
  ...{ unique_id: id, kind: 'input', name, driver: 'modbus', is_activated: true, locations: [] },
  channels: ['Air', 'Soil'].map((part, channel) => ({ channel, name: part, measurement_id: part, unit: 'C' })),
});

/** The title of a chart of these series. */
function titleOf(series: string[], title?: string): string {
  const sources = series.map((one) => {
    const [device_id = '', measurement_id = ''] = one.split('/');
    return { device_id, measurement_id };
  });
  const tile = defineComponent(() => {
    useLive().devices = [box('n', 'North'), box('s', 'South')];
    const of = useWidgetTitle();
    return () => h('p', of({ kind: 'trend', ...place, sources, span_s: 3600, ...(title && { title }) }));
  });
  return mounted(tile, {}).text();
}

it.each([
  [['n/Air'], 'Air · North'],
  [['n/Air', 'n/Soil'], 'Air, Soil · North'],
  [['n/Air', 's/Air'], 'Air · North, South'],
  [['n/Air', 's/Soil', 'x/gone'], 'Air, Soil · North, South'],
  [['x/gone'], 'Chart'],
])('calls a chart of %j %s', (series, title) => {
  expect(titleOf(series)).toBe(title);
  expect(titleOf(series, 'Morning')).toBe('Morning');
});
