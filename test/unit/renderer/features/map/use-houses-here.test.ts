// @vitest-environment happy-dom
import { mount } from '@vue/test-utils';
import { createPinia } from 'pinia';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defineComponent, h } from 'vue';
import { ApiClient, clientKey } from '../../../../../renderer/client/client.ts';
import { useHousesHere } from '../../../../../renderer/features/map/use-houses-here.ts';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { createTranslations } from '../../../../../renderer/i18n/index.ts';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';

const [here, elsewhere] = ['6f2b8a54-6d43-4f07-9f6e-0c2f3b1d5a10', '6f2b8a54-6d43-4f07-9f6e-0c2f3b1d5a11'];
const at = '2026-03-01T06:00:00.000Z';
const listeners = new Map<string, (event: Event) => void>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    'EventSource',
    class {
      readyState = 1;
      addEventListener = (kind: string, listener: (event: Event) => void) => void listeners.set(kind, listener);
      close = () => undefined;
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A map on which houses are set up by other people. */
async function setUp() {
  const shapes: string[] = [];
  const asked: string[] = [];
  const server: typeof fetch = async (address) => {
    if (address !== `/api/geo/facility/list?geo_id=${here}`) return new Promise(() => undefined);
    asked.push(address);
    const bound = [{ device_id: 'fan' }];
    return Response.json({
      facilities: shapes.map((shape_uuid) => ({
        shape_uuid,
        unique_id: `of ${shape_uuid}`,
        sensors: [],
        actuators: bound,
      })),
    });
  };
  const made: { houses?: ReturnType<typeof useHousesHere> } = {};
  const host = defineComponent({
    setup() {
      made.houses = useHousesHere(() => here);
      return () => h('div');
    },
  });
  const provide = { [clientKey as symbol]: new ApiClient(server) }; // an injection key is a symbol
  mount(host, { global: { plugins: [createPinia(), createTranslations(en)], provide } });
  vi.spyOn(useSession(), 'can').mockReturnValue(true);
  useLive().start();
  const { houses } = made;
  if (houses === undefined) throw new Error('not mounted');
  await houses.read();
  const told = (geo_id: string) => {
    const event = { kind: 'facility', id: 'b:1', at, state: 'living', revision: 1, facility_uuid: here, geo_id };
    listeners.get('facility')?.(new MessageEvent('facility', { data: JSON.stringify(event), lastEventId: 'b:1' }));
  };
  return { houses, shapes, asked, told };
}

it('knows a house that is set up after the map was opened, and its devices', async () => {
  const { houses, shapes, told } = await setUp();
  expect(houses.holdsHouse('field')).toBe(false);
  shapes.push('field');
  told(here);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(houses.facilityOfShape.value.get('field')).toBe('of field');
  expect(['field', 'meadow'].map(houses.holdsHouse)).toEqual([true, false]);
  expect([...houses.boundDevices.value]).toEqual(['fan']);
});

it('reads nothing for a house on another map', async () => {
  const { houses, shapes, asked, told } = await setUp();
  shapes.push('field');
  told(elsewhere);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([asked.length, houses.facilityOfShape.value.size]).toEqual([1, 0]);
});
