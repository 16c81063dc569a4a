// @vitest-environment happy-dom
import { flushPromises, type VueWrapper } from '@vue/test-utils';
import { expect, it, vi } from 'vitest';
import { defineComponent, h, type ComputedRef } from 'vue';
import { useRouter } from 'vue-router';
import { VSelect } from 'vuetify/components/VSelect';
import DeviceCard from '../../../../../renderer/features/devices/DeviceCard.vue';
import DevicesPage from '../../../../../renderer/features/devices/DevicesPage.vue';
import { devices as feature } from '../../../../../renderer/features/devices/routes.ts';
import type { PaletteCommand } from '../../../../../renderer/features/feature.ts';
import { mounted } from '../../ui/mounted.ts';
import { eventually } from '../../../../support/eventually.ts';

const probe = (unique_id: string, name: string) => ({
  unique_id,
  name,
  kind: 'input',
  driver: 'simulated',
  is_activated: true,
  locations: [],
  channels: [],
});
const houseOf = (name: string) => ({
  unique_id: name,
  name,
  sensors: [{ role: 'indoor_temp', device_id: `${name} air`, measurement_id: 'air' }],
  actuators: [],
});
const answers: Record<string, unknown> = {
  '/api/geo/devices': { devices: [probe('North air', 'Air'), probe('South air', 'Air'), probe('soil', 'Soil')] },
  '/api/geo/facility/list': { facilities: [houseOf('North'), houseOf('South')] },
};

vi.stubGlobal(
  'IntersectionObserver',
  class {
    readonly #told: (seen: object[]) => void;
    constructor(told: (seen: object[]) => void) {
      this.#told = told;
    }
    observe(target: Element): void {
      this.#told([{ target, isIntersecting: true, time: 0 }]);
    }
    unobserve(): void {}
    disconnect(): void {}
  },
);

it('names the house of devices that are called the same, finds them by it, and the palette too', async () => {
  let offered: ComputedRef<PaletteCommand[]> | undefined;
  let router: ReturnType<typeof useRouter> | undefined;
  const page = mounted(
    defineComponent(() => {
      offered = feature.useCommands?.(() => {});
      router = useRouter();
      return () => h(DevicesPage);
    }),
    {
      routes: [{ name: 'devices', path: '/', component: DevicesPage }],
      fetch: (address) => Promise.resolve(Response.json(answers[new URL(address as string, 'https://here').pathname])),
    },
  );
  const houseOfCard = (card: VueWrapper) => (card.props() as { house: string | undefined }).house;
  const cards = () => page.findAllComponents(DeviceCard).map(houseOfCard);
  await eventually(() => expect(cards()).toEqual(['North', 'South', undefined]));
  expect(page.getComponent(DeviceCard).text()).toMatch(/Air\s*North/);
  expect(offered?.value.map(({ title, hint }) => `${title}: ${hint}`)).toEqual([
    'Air: North · Devices',
    'Air: South · Devices',
    'Soil: Devices',
  ]);
  await offered?.value[1]?.run();
  await eventually(() => expect(cards()).toEqual(['South']));

  await router?.push({ name: 'devices', query: { show: 'inactive', house: 'South' } });
  await flushPromises();
  expect(cards()).toEqual([]);
  await router?.push({ name: 'devices', query: { house: 'South' } });
  await eventually(() => expect(cards()).toEqual(['South']));
  const selects = page.findAllComponents(VSelect);
  expect(selects.map((select): unknown => select.props('modelValue'))).toEqual(['all', 'South']);
  selects[1]?.vm.$emit('update:modelValue', null);
  await eventually(() => expect(cards()).toEqual(['North', 'South', undefined]));
  await router?.push({ name: 'devices', query: { house: 'gone' } });
  await flushPromises();
  expect(cards()).toEqual(['North', 'South', undefined]);
});
