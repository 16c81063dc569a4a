// @vitest-environment happy-dom
import { flushPromises, mount } from '@vue/test-utils';
import { createPinia } from 'pinia';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defineComponent, h } from 'vue';
import { ApiClient, clientKey } from '../../../../../renderer/client/client.ts';
import type { Reading } from '../../../../../renderer/features/house/reading.ts';
import { useHouseModel } from '../../../../../renderer/features/house/use-house-model.ts';
import { useNotCurrent } from '../../../../../renderer/ui/use-not-current.ts';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { createTranslations } from '../../../../../renderer/i18n/index.ts';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import type { Facility } from '../../../../../server/contract/facility.ts';
import { pump, station, wateredHouse } from '../../../../support/watered-house.ts';

const at = '2026-03-01T06:00:00.000Z';
const house: Facility = {
  ...wateredHouse,
  actuators: [{ role: 'circulation_fan', device_id: pump, name: 'Fan', channel: 0 }],
  sensors: [
    { role: 'outdoor_wind', name: 'Wind', device_id: station, measurement_id: station },
    { role: 'outdoor_wind_dir', name: 'Direction', device_id: station, measurement_id: pump },
  ],
};
const readings = house.sensors.map((binding): Reading => {
  return { binding, value: 4, unit: 'm/s', timeMs: Date.parse(at), quality: 'good' };
});
const listeners = new Map<string, (event: Event) => void>();

beforeEach(() => {
  vi.stubGlobal(
    'EventSource',
    class {
      readyState = 1;
      addEventListener = (kind: string, listener: (event: Event) => void) => void listeners.set(kind, listener);
      close = () => undefined;
    },
  );
});
afterEach(() => void vi.unstubAllGlobals());

it('shows nothing heard last as the present, once the connection is lost', async () => {
  const made: { model?: ReturnType<typeof useHouseModel>; notCurrent?: ReturnType<typeof useNotCurrent> } = {};
  const host = defineComponent({
    setup() {
      made.model = useHouseModel(
        () => house,
        () => readings,
      );
      made.notCurrent = useNotCurrent(() => readings.map(({ timeMs }) => timeMs));
      return () => h('div');
    },
  });
  const provide = { [clientKey as symbol]: new ApiClient(() => new Promise(() => undefined)) }; // an injection key is a symbol
  mount(host, { global: { plugins: [createPinia(), createTranslations(en)], provide } });
  vi.spyOn(useSession(), 'can').mockReturnValue(true);
  const live = useLive();
  live.start();
  const tell = async (kind: string, data: object = {}) => {
    listeners.get(kind)?.(new MessageEvent(kind, { data: JSON.stringify(data), lastEventId: 'b:1' }));
    await flushPromises();
  };
  await tell('open');
  const channel = { channel: 0, state: 'on', quality: 'confirmed', changed_at: at };
  await tell('output', { kind: 'output', id: 'b:1', at, output_id: pump, ...channel });
  const driven = () => [...(made.model?.states.value.values() ?? [])].filter((state) => state !== 'undriven');
  expect([driven(), made.notCurrent?.value]).toEqual([driven().map(() => 100), null]);
  expect(driven().length).toBeGreaterThan(0);
  expect(made.model?.weather.value.wind?.speed_m_s).toBe(4);

  await tell('error');
  expect(new Set(driven())).toEqual(new Set(['unknown']));
  expect(made.model?.weather.value.wind).toBeNull();
  expect(made.model?.readings.value.map(({ quality }) => quality)).toEqual(['stale', 'stale']);
  expect(made.notCurrent?.value).toContain('lost its connection');

  await tell('open');
  expect(driven()).toEqual(driven().map(() => 100));
});
