// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { defineComponent, nextTick, shallowRef } from 'vue';
import PropertyForm from '../../../../../renderer/features/map/PropertyForm.vue';
import { useShapeTree } from '../../../../../renderer/features/map/use-shape-tree.ts';
import type { FeatureLayers } from '../../../../../renderer/map/feature-layers.ts';
import { L } from '../../../../../renderer/map/leaflet.ts';
import { NameLabels } from '../../../../../renderer/map/name-labels.ts';
import { idOf } from '../../../../../renderer/map/edit-buffer.ts';
import { renamed, square } from '../../map/features.ts';
import { mounted } from '../../ui/mounted.ts';

const [shape, other] = [renamed(square(1), 'Drawn so'), renamed(square(2), 'Meadow')];
const names = new Map([[idOf(shape), 'Tomatoes']]);

it('labels the shape of a house by the name of the house', () => {
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({ measureText: () => ({ width: 40 }) } as never); // all that is used
  const map = L.map(document.createElement('div')).setView([0, 0], 18);
  const place = { bounds: L.latLngBounds([0, 0], [1, 1]), isSelected: false, hasAlarm: false };
  const features: Pick<FeatureLayers, 'named' | 'points'> = {
    named: (_most, nameOf) => [{ ...place, feature: shape, name: nameOf(shape) }],
    points: () => [],
  };
  const labels = new NameLabels(map, features as FeatureLayers); // all that it uses of it
  const shown = () => [...map.getContainer().querySelectorAll('.map-label')].map(({ textContent }) => textContent);
  labels.refresh();
  expect(shown()).toEqual(['Drawn so']);
  labels.setHouseNames(names);
  expect(shown()).toEqual(['Tomatoes']);
  expect([labels.nameOf(shape), labels.nameOf(other)]).toEqual(['Tomatoes', 'Meadow']);
  map.remove();
});

it('lists the shape of a house by the name of the house, and finds it by either', async () => {
  const query = shallowRef('');
  const houseNames = shallowRef<ReadonlyMap<string, string>>(new Map());
  const made: { tree?: ReturnType<typeof useShapeTree> } = {};
  const page = defineComponent(() => {
    made.tree = useShapeTree(() => [shape, other], { query: () => query.value, houseNames: () => houseNames.value });
    return () => null;
  });
  mounted(page, {});
  const listed = () => made.tree?.rows.value.map(({ item }) => item.name);
  expect(listed()).toEqual(['Drawn so', 'Meadow']);
  houseNames.value = names;
  await nextTick();
  expect(listed()).toEqual(['Meadow', 'Tomatoes']);
  for (const sought of ['drawn', 'tomato']) {
    query.value = sought;
    expect(listed()).toEqual(['Tomatoes']);
  }
});

it('names the house above the name of its shape, which stays as it was typed', () => {
  const props = { feature: shape, isReadOnly: false, facilityUuid: 'house', isDeviceShown: false };
  const form = mounted(PropertyForm, { props: { ...props, houseName: 'Tomatoes' } });
  expect(form.get('h2').text()).toBe('Tomatoes');
  const field = form.get('.v-text-field');
  expect(field.text()).toContain('Name of the shape');
  expect(field.get<HTMLInputElement>('input').element.value).toBe('Drawn so');
});
