// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { nextTick } from 'vue';
import { VSelect } from 'vuetify/components/VSelect';
import CornerTable from '../../../../../renderer/features/map/CornerTable.vue';
import { pathsOf } from '../../../../../renderer/map/geometry.ts';
import type { Geometry } from '../../../../../server/contract/overlay.ts';
import { mounted } from '../../ui/mounted.ts';

/** A circle of so many corners about a place. */
function circle(count: number, [lng, lat]: readonly [number, number]): number[][] {
  const corners = Array.from({ length: count }, (_, at) => {
    const turn = (2 * Math.PI * at) / count;
    return [lng + Math.cos(turn) / 100, lat + Math.sin(turn) / 100];
  });
  return [...corners, corners[0] ?? []];
}

it('shows the corners of a large shape a page at a time, and enters them in their place', async () => {
  const geometry: Geometry = {
    type: 'MultiPolygon',
    coordinates: [[circle(450, [127, 37])], [circle(50, [128, 37])]],
  };
  const table = mounted(CornerTable, { props: { geometry, isReadOnly: false } });
  const rows = (): string[] => table.findAll('tbody th').map((one) => one.text());
  expect(rows()).toHaveLength(200);
  expect(table.text()).toContain('Corners shown, of 500');
  table.getComponent(VSelect).vm.$emit('update:modelValue', 400);
  await nextTick();
  // The last fifty of the first part, and all of the second.
  expect([rows()[0], rows()[49], rows()[50], rows().length]).toEqual(['401', '450', '1', 100]);
  const [latitude] = table.findAll('input.corners__input').slice(2 * 50);
  await latitude?.setValue('37.001');
  const [[changed] = []] = table.emitted<[Geometry]>('change') ?? [];
  expect(pathsOf(changed ?? geometry)[1]?.positions[0]).toEqual([128.01, 37.001]);
});

it('has no pages for a house', () => {
  const geometry: Geometry = { type: 'Polygon', coordinates: [circle(200, [127, 37])] };
  const table = mounted(CornerTable, { props: { geometry, isReadOnly: true } });
  expect(table.findAll('tbody tr')).toHaveLength(200);
  expect(table.findComponent(VSelect).exists()).toBe(false);
});
