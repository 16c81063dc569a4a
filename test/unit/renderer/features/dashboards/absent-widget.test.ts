// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { defineComponent, h, nextTick, provide, shallowRef } from 'vue';
import { readingKey } from '../../../../../renderer/features/dashboards/widget.ts';
import HouseWidget from '../../../../../renderer/features/dashboards/widgets/HouseWidget.vue';
import OutputWidget from '../../../../../renderer/features/dashboards/widgets/OutputWidget.vue';
import TrendWidget from '../../../../../renderer/features/dashboards/widgets/TrendWidget.vue';
import type { Device } from '../../../../../server/contract/device.ts';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { mounted } from '../../ui/mounted.ts';
import { eventually } from '../../../../support/eventually.ts';

const place = { id: 'one', x: 0, y: 0, width: 4, height: 4, title: '' };

it('calls a house gone only once all houses were read', async () => {
  const [isRead, error] = [shallowRef(false), shallowRef<unknown>(null)];
  const page = defineComponent(() => {
    provide(readingKey, { isRead, error });
    return () => h(HouseWidget, { widget: { ...place, kind: 'facility', facility_uuid: 'house' } });
  });
  const widget = mounted(page, {});
  expect([widget.text(), widget.find('[role=progressbar]').exists()]).toEqual(['', true]);
  error.value = new Error('no server');
  await nextTick();
  expect(widget.text()).toBe('Could not be loaded.');
  [isRead.value, error.value] = [true, null];
  await nextTick();
  expect(widget.text()).toBe('What this showed was deleted.');
});

it('calls an output gone only once all devices were read', async () => {
  const fetch = () => Promise.resolve(Response.json({ devices: [], lcds: [], alarms: [] }));
  const widget = mounted(OutputWidget, { props: { widget: { ...place, kind: 'output', device_id: 'fan' } }, fetch });
  expect(widget.text()).toBe('');
  await useLive().reload();
  await eventually(() => expect(widget.text()).toBe('What this showed was deleted.'));
});

it('shows the newest value of each line of a chart', async () => {
  const channel = { channel: 0, measurement_id: 'air', name: 'Air', unit: 'C', measurement: 'temperature' };
  const box = { unique_id: 'box', name: 'Box', stale_after_s: 60, channels: [channel] };
  const series = { device_id: 'box', measurement_id: 'air', unit: 'C', times: [Date.now() - 1000], values: [21.3] };
  const widget = mounted(TrendWidget, {
    props: {
      widget: { ...place, kind: 'trend', span_s: 3600, sources: [{ device_id: 'box', measurement_id: 'air' }] },
    },
    fetch: () => Promise.resolve(Response.json({ series: [series] })),
  });
  useLive().devices = [box as unknown as Device]; // what a chart needs of one
  await eventually(() => expect(widget.get('ul').text()).toMatch(/Air\s*Box\s*21\.3\s°C\s*Newest/));
});
