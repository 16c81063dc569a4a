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

it('adds a corner at the altitude half way', async () => {
  const geometry: Geometry = { type: 'LineString', coordinates: [[127, 37, 12], [127.5, 37.5, 13]] }; // prettier-ignore
  const table = mounted(CornerTable, { props: { geometry, isReadOnly: false } });
  await table.get('.corners__buttons button').trigger('click');
  const [[changed] = []] = table.emitted<[Geometry]>('change') ?? [];
  expect(pathsOf(changed ?? geometry)[0]?.positions[1]).toEqual([127.25, 37.25, 12.5]);
});

it('adds no corner after the last one of a line, where no side begins', async () => {
  const corners = [[127, 37], [127.5, 37.5], [128, 37]]; // prettier-ignore
  const geometry: Geometry = { type: 'LineString', coordinates: corners };
  const table = mounted(CornerTable, { props: { geometry, isReadOnly: false } });
  const adding = () => table.findAll<HTMLButtonElement>('[aria-label^="Add a corner"]');
  await adding()[2]?.trigger('click');
  expect(table.emitted('change')).toBeUndefined();
  expect(adding().map(({ element }) => element.disabled)).toEqual([false, false, true]);
  await table.setProps({ geometry: { type: 'Polygon', coordinates: [[...corners, [127, 37]]] } });
  await adding()[2]?.trigger('click');
  const [[changed] = []] = table.emitted<[Geometry]>('change') ?? [];
  expect(pathsOf(changed ?? geometry)[0]?.positions[3]).toEqual([127.5, 37]);
});

it('has no pages for a house', () => {
  const geometry: Geometry = { type: 'Polygon', coordinates: [circle(200, [127, 37])] };
  const table = mounted(CornerTable, { props: { geometry, isReadOnly: true } });
  expect(table.findAll('tbody tr')).toHaveLength(200);
  expect(table.findComponent(VSelect).exists()).toBe(false);
});

it('takes out a hole, or a part with its holes, but not all of a shape', async () => {
  const [field, pond, meadow] = [circle(4, [127, 37]), circle(4, [127.001, 37]), circle(4, [128, 37])];
  const geometry: Geometry = { type: 'MultiPolygon', coordinates: [[field, pond], [meadow]] };
  const table = mounted(CornerTable, { props: { geometry, isReadOnly: false } });
  for (const name of ['Part 1 Hole 1', 'Part 1', 'Part 2'])
    await table.get(`[aria-label="Remove: ${name}"]`).trigger('click');
  const lefts = [[[field], [meadow]], [[meadow]], [[field, pond]]];
  expect(table.emitted('change')).toEqual(lefts.map((coordinates) => [{ type: 'MultiPolygon', coordinates }]));
  await table.setProps({ geometry: { type: 'Polygon', coordinates: [field, pond] } });
  expect(table.findAll('caption').map((one) => one.text())).toEqual(['Hole 1']);
  await table.get('[aria-label="Remove: Hole 1"]').trigger('click');
  expect(table.emitted('change')?.at(-1)).toEqual([{ type: 'Polygon', coordinates: [field] }]);
  await table.setProps({ geometry: { type: 'MultiPolygon', coordinates: [[field]] } });
  expect(table.findAll('[aria-label^="Remove: "]')).toEqual([]);
  await table.setProps({ geometry, isReadOnly: true });
  expect(table.findAll('[aria-label^="Remove"]')).toEqual([]);
});
