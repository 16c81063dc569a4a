import { createPinia } from 'pinia';
import { expect, it } from 'vitest';
import { createApp, ref } from 'vue';
import type { Trend } from '../../../../../server/contract/measurement-query.ts';
import { defaultSettings } from '../../../../../server/services/setting/defaults.ts';
import { ApiClient, clientKey } from '../../../../../renderer/client/client.ts';
import { useDrawnLines } from '../../../../../renderer/features/trends/use-drawn-lines.ts';
import { useSettings } from '../../../../../renderer/stores/settings.ts';

const appOf = () => {
  const offline = new ApiClient(() => Promise.reject(new Error('nothing is asked for')));
  return createApp({}).use(createPinia()).provide(clientKey, offline);
};

it('draws the freezing point as 32 °F, and a gap as a gap', () => {
  const app = appOf();
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

it('draws what is expected once for all that measure it, in their lane and unit', () => {
  const air = {
    device_id: 'in',
    device: 'In',
    name: 'Air',
    unit: 'C',
    measurement: 'temperature',
    measured: 'Temperature',
  };
  const channels = ['air', 'soil'].map((one) => ({ ...air, key: `in/${one}`, measurement_id: one }));
  const hourly = { time: ['1970-01-01T00:00', '1970-01-01T01:00'], temperature_2m: [0, 100] };
  const { lines, expected } = appOf().runWithContext(() => {
    useSettings().site = { ...defaultSettings('UTC'), temperature_unit: 'f' };
    return useDrawnLines({
      trends: ref([]),
      chosen: ref(['in/air', 'in/soil']),
      channels: ref(channels),
      at_ms: ref(null),
      span: ref({ from_ms: 0, to_ms: 2 }),
      forecast: ref({ latitude: 0, longitude: 0, hourly }),
      now_ms: ref(0),
    });
  });
  expect(expected.value).toEqual([
    {
      key: 'forecast/temperature_2m',
      look: 0,
      unit: '°F',
      isForecast: true,
      times: [0, 3_600_000],
      values: [32, 212],
      lane: { key: 'Temperature °F', title: 'Temperature, °F' },
    },
  ]);
  expect(lines.value).toEqual(expected.value);
});
