// @vitest-environment happy-dom
import { mount } from '@vue/test-utils';
import { createPinia } from 'pinia';
import { expect, it, vi } from 'vitest';
import { computed, defineComponent, h, nextTick, ref, shallowRef } from 'vue';
import { ApiClient, clientKey } from '../../../../../renderer/client/client.ts';
import { mapDesk } from '../../../../../renderer/features/map/map-desk.ts';
import { useMapChanges } from '../../../../../renderer/features/map/use-map-changes.ts';
import { useShapeClipboard } from '../../../../../renderer/features/map/use-shape-clipboard.ts';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { createTranslations } from '../../../../../renderer/i18n/index.ts';
import { positionsOf } from '../../../../../renderer/map/topology/plane.ts';
import { useOpenMap } from '../../../../../renderer/stores/map.ts';
import { useNotice } from '../../../../../renderer/stores/notice.ts';
import type { Feature, Geometry } from '../../../../../server/contract/overlay.ts';
import { checkGeometry } from '../../../../../server/domain/geometry/feature-geometry.ts';

vi.mock('../../../../../server/domain/geometry/feature-geometry.ts', { spy: true });

type Corners = [number, number][];
const ring = (...corners: Corners): Corners => [...corners, corners[0] ?? [0, 0]];
const field = ring([0, 0], [1, 0], [1, 1], [0, 1]);
const pond = ring([0.4, 0.4], [0.4, 0.6], [0.6, 0.6], [0.6, 0.4]);
/** The pond so many degrees further east. */
const far = (lng: number): Corners => pond.map(([x, y]) => [x + lng, y]);
const area = (...rings: Corners[]): Geometry => ({ type: 'Polygon', coordinates: rings });
const line = (...coordinates: Corners): Geometry => ({ type: 'LineString', coordinates });

/** The editor over an open map; nothing is sent before it rests. */
function setUp() {
  const made: { page?: ReturnType<typeof parts> } = {};
  const houses = new Set<string>();
  function parts() {
    const isReadOnly = ref(false);
    const placed = shallowRef<ReadonlyMap<string, string>>(new Map());
    const holdsHouse = (id: string): boolean => houses.has(id);
    const options = { isReadOnly, placed, holdsHouse, covered: () => ({ right: 0, bottom: 0 }) };
    const changes = useMapChanges(mapDesk(), { ...options, select: () => undefined, selectAll: () => undefined });
    const editor = { selectAll: () => undefined, removeSelected: () => undefined };
    const selectedFeatures = computed<Feature[]>(() => []);
    const sights: (readonly (readonly number[])[])[] = [];
    const bringIntoSight = (places: readonly (readonly number[])[]): number => sights.push(places);
    const clipboard = useShapeClipboard({ ...options, selectedFeatures, editor, bringIntoSight });
    return { store: useOpenMap(), notice: useNotice(), changes, clipboard, sights, houses };
  }
  const host = defineComponent({
    setup() {
      made.page = parts();
      return () => h('div');
    },
  });
  const client = new ApiClient(() => new Promise(() => undefined));
  const provide = { [clientKey as symbol]: client }; // an injection key is a symbol
  mount(host, { global: { plugins: [createPinia(), createTranslations(en)], provide } });
  if (made.page === undefined) throw new Error('not mounted');
  return made.page;
}

function shape(type: 'site' | 'reference', geometry: Geometry): Feature {
  const properties = { type, name: 'North field', unique_id: crypto.randomUUID() };
  return { type: 'Feature', geometry, properties };
}

it.each([
  ['a hole dragged out of its outline', area(field, far(3)), /hole/],
  ['a hole dragged over its outline', area(field, far(0.5)), /cross/],
  ['one part dragged over another', { type: 'MultiPolygon', coordinates: [[field], [far(0.5)]] }, /cross/],
  ['an outline like a bow tie', area(ring([0, 0], [1, 1], [1, 0], [0, 1])), /cross/],
  ['corners on one line', area(ring([0, 0], [1, 1], [2, 2])), /area/],
  ['a corner off the earth', area(ring([0, 0], [1, 0], [1, 95])), /earth/],
  ['corners on both sides of 180°', area(ring([179.9, 0], [179.9, 1], [-179.9, 1], [-179.9, 0])), /180°/],
] satisfies [string, Geometry, RegExp][])('refuses %s, and keeps the shape as it was', (_what, geometry, said) => {
  const { store, changes, notice } = setUp();
  const before = shape('reference', area(field, pond));
  store.put([before]);
  expect(changes.reshape(before.properties.unique_id, geometry)).toBe(false);
  expect(store.features).toEqual([before]);
  expect(notice.shown).toMatchObject({ kind: 'problem', text: expect.stringMatching(said) as string });
});

it('draws no line of two corners in one place', () => {
  const { store, changes, notice } = setUp();
  changes.add({ type: 'pipe', name: '' }, line([1, 1], [1, 1]));
  expect(store.features).toEqual([]);
  expect(notice.shown?.kind).toBe('problem');
});

it.each([
  ['an outline like a bow tie', shape('reference', area(ring([0, 0], [1, 1], [1, 0], [0, 1])))],
  ['a shape off the earth', shape('reference', area(ring([0, 0], [1, 0], [1, 95])))],
  ['a site that is a line', shape('site', line([0, 0], [1, 1]))],
])('pastes nothing of a collection with %s, and names it', async (_what, bad) => {
  const { store, clipboard, notice } = setUp();
  const features = [shape('reference', area(field)), bad];
  localStorage.setItem('orangery.map-clipboard', JSON.stringify({ type: 'FeatureCollection', features }));
  await clipboard.paste();
  expect(store.features).toEqual([]);
  expect(notice.shown).toMatchObject({ kind: 'problem', text: expect.stringContaining('North field') as string });
});

it('leaves what is not touched to whoever drew it', () => {
  const { store, changes } = setUp();
  const [sound, old] = [shape('reference', area(field)), shape('reference', area(field))];
  store.put([sound, old]);
  changes.rename(old.properties.unique_id, 'Old field');
  expect(store.find(old.properties.unique_id)?.properties.name).toBe('Old field');
});

it('takes back what was pasted by the message of it, and nothing that was drawn, changed or set up since', async () => {
  const { store, changes, clipboard, notice, houses } = setUp();
  const features = Array.from({ length: 3 }, () => shape('reference', area(field)));
  localStorage.setItem('orangery.map-clipboard', JSON.stringify({ type: 'FeatureCollection', features }));
  await clipboard.paste();
  const { shown } = notice;
  const [changed, withHouse] = store.features.map(({ properties }) => properties.unique_id);
  changes.add({ type: 'facility', name: 'House 1' }, area(field));
  changes.rename(changed ?? '', 'South field');
  houses.add(withHouse ?? '');
  shown?.action?.run();
  expect(store.features.map(({ properties }) => properties.name)).toEqual(['South field', 'North field', 'House 1']);
});

it('makes a house of an outline under a new id, and an outline again by one undo', () => {
  const { store, changes, notice } = setUp();
  const before = shape('reference', area(field));
  store.put([before]);
  changes.retypeAll([before.properties.unique_id], 'facility');
  const [house] = store.features;
  expect(house).toMatchObject({ geometry: before.geometry, properties: { type: 'facility', name: 'North field' } });
  expect(house?.properties.unique_id).not.toBe(before.properties.unique_id);
  store.undo();
  expect(store.features).toEqual([before]);
  store.put([shape('reference', line([0, 0], [1, 1]))]);
  changes.retypeAll(
    store.features.map(({ properties }) => properties.unique_id),
    'site',
  );
  expect(notice.shown?.kind).toBe('problem');
  expect(store.features.map(({ properties }) => properties.type)).toEqual(['reference', 'reference']);
});

it('keeps the ids of shapes that have the type already where several become it', () => {
  const { store, changes } = setUp();
  const shapes = [shape('site', area(far(2))), shape('reference', area(field))];
  store.put(shapes);
  changes.retypeAll(
    shapes.map(({ properties }) => properties.unique_id),
    'site',
  );
  expect(store.find(shapes[0]?.properties.unique_id ?? '')).toEqual(shapes[0]);
  expect(store.features.map(({ properties }) => properties.type)).toEqual(['site', 'site']);
});

it('pastes the same thing again further aside, under the next name, and brings it into sight', async () => {
  const { store, clipboard, sights } = setUp();
  const house = shape('reference', area(field));
  store.put([house]);
  localStorage.setItem('orangery.map-clipboard', JSON.stringify({ type: 'FeatureCollection', features: [house] }));
  for (let times = 0; times < 3; times += 1) await clipboard.paste();
  const wests = store.features.map(({ geometry }) => Math.min(...positionsOf(geometry).map(([lng = 0]) => lng)));
  expect(wests).toEqual([...new Set(wests)].sort((a, b) => a - b));
  expect(wests).toHaveLength(4);
  const names = store.features.map(({ properties }) => properties.name);
  expect(names).toEqual(['North field', 'North field 2', 'North field 3', 'North field 4']);
  await nextTick();
  expect(sights.map((places) => Math.min(...places.map(([lng = 0]) => lng)))).toEqual(wests.slice(1));
});

it('checks each shape that is pasted once, and rests between them', async () => {
  const { store, clipboard } = setUp();
  const features = Array.from({ length: 20 }, () => shape('reference', area(field)));
  localStorage.setItem('orangery.map-clipboard', JSON.stringify({ type: 'FeatureCollection', features }));
  const { calls } = vi.mocked(checkGeometry).mock;
  calls.length = 0;
  let now_ms = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now_ms += 10)); // of a slow machine
  const pasting = clipboard.paste();
  let most = 0;
  for (let before = 0; store.features.length === 0; before = calls.length) {
    await new Promise((resolve) => setTimeout(resolve));
    most = Math.max(most, calls.length - before);
  }
  await pasting;
  expect(store.features).toHaveLength(20);
  expect(calls).toHaveLength(20);
  expect(most).toBeLessThan(4);
  clock.mockRestore();
});

it('pastes where a paste was that was undone', async () => {
  const { store, clipboard } = setUp();
  const features = [shape('reference', area(field))];
  localStorage.setItem('orangery.map-clipboard', JSON.stringify({ type: 'FeatureCollection', features }));
  const pasted = async () => {
    await clipboard.paste();
    return store.features.at(-1)?.geometry;
  };
  const first = await pasted();
  store.undo();
  expect(await pasted()).toEqual(first);
  const aside = await pasted();
  expect(aside).not.toEqual(first);
  store.undo();
  expect(await pasted()).toEqual(aside);
});

it('pastes no shape that was copied once in place of the text that was copied since', async () => {
  const { store, clipboard, notice } = setUp();
  const features = [shape('reference', area(field))];
  localStorage.setItem('orangery.map-clipboard', JSON.stringify({ type: 'FeatureCollection', features }));
  await navigator.clipboard.writeText('an address');
  await clipboard.paste();
  expect(store.features).toEqual([]);
  expect(notice.shown?.kind).toBe('problem');
  await navigator.clipboard.writeText('');
  await clipboard.paste();
  expect(store.features).toHaveLength(1);
});

it('pastes a pipe of a plan as a pipe of its own', async () => {
  const { store, clipboard } = setUp();
  const pipe = shape('reference', line([0, 0], [1, 1]));
  const planned = { ...pipe, properties: { ...pipe.properties, type: 'pipe', plan_id: 'a' } };
  localStorage.setItem('orangery.map-clipboard', JSON.stringify({ type: 'FeatureCollection', features: [planned] }));
  await clipboard.paste();
  expect(store.features.map(({ properties }) => [properties.type, properties['plan_id']])).toEqual([
    ['pipe', undefined],
  ]);
});

it('adds an attribute to several shapes, and takes it away without a trace, each as one step', () => {
  const { store, changes } = setUp();
  const shapes = [shape('reference', area(field)), shape('reference', area(pond))];
  store.put(shapes);
  const ids = shapes.map(({ properties }) => properties.unique_id);
  changes.describeAll(ids, { crop: 'rice' });
  changes.describeAll(ids, { crop: undefined });
  expect(store.features.map(({ properties }) => 'crop' in properties)).toEqual([false, false]);
  store.undo();
  expect(store.features.map(({ properties }) => properties['crop'])).toEqual(['rice', 'rice']);
  store.undo();
  expect(store.features).toEqual(shapes);
});
