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
    house: '',
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
      kind: 'forecast',
      times: [0, 3_600_000],
      values: [32, 212],
      lane: { key: 'Temperature °F', title: 'Temperature °F' },
    },
  ]);
  expect(lines.value).toEqual(expected.value);
});

it.each([
  [0.1, 1],
  [0.01, 2],
  [undefined, 1],
])('writes what a sensor with steps of %s K measures with %i digits', (resolution, digits) => {
  const channel = {
    house: '',
    device: 'Box',
    name: 'Air',
    unit: 'C',
    measurement: 'temperature',
    measured: 'Temperature',
  };
  const ids = { device_id: 'box', measurement_id: 'air' };
  const { lines, rows } = appOf().runWithContext(() =>
    useDrawnLines({
      trends: ref([{ ...ids, unit: 'C', times: [0], values: [20] }]),
      chosen: ref(['box/air']),
      channels: ref([{ ...channel, ...ids, key: 'box/air', resolution }]),
      at_ms: ref(null),
      span: ref({ from_ms: 0, to_ms: 2 }),
    }),
  );
  expect(rows.value).toMatchObject([{ digits }]);
  expect(lines.value[0]?.lane?.digits).toBe(resolution === undefined ? undefined : digits);
});

it('lays the channel of another house in the lane of the chosen one, in its own dash, with a row of its own', () => {
  const air = { device: 'Box', name: 'Air', unit: 'C', measurement: 'temperature', measured: 'Temperature' };
  const channel = (device_id: string, house: string) => ({
    ...air,
    house,
    key: `${device_id}/air`,
    device_id,
    measurement_id: 'air',
  });
  const series = (device_id: string, values: number[]) => ({
    device_id,
    measurement_id: 'air',
    unit: 'C',
    times: [0, 3_600_000],
    values,
    band: { least: values.map((value) => value - 2), most: values.map((value) => value + 2) },
  });
  const { lines, rows } = appOf().runWithContext(() =>
    useDrawnLines({
      trends: ref([series('north', [20, 22])]),
      chosen: ref(['north/air']),
      channels: ref([channel('north', 'North')]),
      at_ms: ref(null),
      span: ref({ from_ms: 0, to_ms: 3_600_000 }),
      placeOf: () => 'North',
      besides: ref([
        {
          of: 'north/air',
          kind: 'elsewhere' as const,
          series: series('south', [16, 18]),
          channel: channel('south', 'South'),
          later_ms: 0,
          place: 'South',
        },
        {
          of: 'north/air',
          kind: 'earlier' as const,
          series: series('north', [10, 10]),
          channel: channel('north', 'North'),
          later_ms: 86_400_000,
          place: 'the day before',
        },
      ]),
    }),
  );
  const lane = { key: 'Temperature °C', title: 'Temperature °C' };
  expect(lines.value).toMatchObject([
    { key: 'north/air', look: 0, lane, band: { most: [22, 24] } },
    { key: 'south/air', look: 0, lane, kind: 'elsewhere', values: [16, 18] },
    { key: 'north/air', kind: 'earlier' },
  ]);
  expect(lines.value[1]).not.toHaveProperty('band');
  expect(rows.value).toMatchObject([
    { key: 'north/air', of: 'north/air', place: 'North', value: 22, mean: 21, least: 18, most: 24 },
    { key: 'north/air elsewhere', of: 'north/air', place: 'South', kind: 'elsewhere', mean: 17, least: 14, most: 20 },
    { key: 'north/air earlier', of: 'north/air', place: 'North · the day before', mean: 10 },
  ]);
});
