import { createPinia } from 'pinia';
import { expect, it } from 'vitest';
import { createApp, ref } from 'vue';
import type { Trend } from '../../../../../server/contract/measurement-query.ts';
import { defaultSettings } from '../../../../../server/services/setting/defaults.ts';
import { ApiClient, clientKey } from '../../../../../renderer/client/client.ts';
import { useDrawnLines } from '../../../../../renderer/features/trends/use-drawn-lines.ts';
import { useSettings } from '../../../../../renderer/stores/settings.ts';

it('draws the freezing point as 32 °F, and a gap as a gap', () => {
  const offline = new ApiClient(() => Promise.reject(new Error('nothing is asked for')));
  const app = createApp({}).use(createPinia()).provide(clientKey, offline);
  const series = { device_id: 'device', measurement_id: 'air', unit: 'C', times: [0, 1, 2], values: [-10, 0, null] };
  const { lines } = app.runWithContext(() => {
    useSettings().site = { ...defaultSettings('UTC'), temperature_unit: 'f' };
    return useDrawnLines({
      trends: ref([series as Trend]), // what else a trend tells is not drawn
      chosen: ref(['device/air']),
      channels: ref([]),
      span: ref({ from_ms: 0, to_ms: 2 }),
      at_ms: ref(null),
    });
  });
  expect(lines.value).toMatchObject([{ unit: '°F', values: [14, 32, null] }]);
});
