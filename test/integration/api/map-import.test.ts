import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { useAdding } from '../../../renderer/features/map/use-adding.ts';
import type { Design } from '../../../server/contract/design.ts';
import { mostSaveBytes, type Feature, type FeatureCollection } from '../../../server/contract/overlay.ts';
import { mapPage } from '../../support/open-map.ts';
import { testWholeApi, wholeKey } from '../../support/whole-api.ts';

const saving = 'POST /api/geo/overlays/delta';
const place = { name: 'Farm', lat: 37, lng: 127, zoom: 18 };

function tree(name: string, unique_id: string = randomUUID()): Feature {
  const geometry = { type: 'Point' as const, coordinates: [127, 37] };
  return { type: 'Feature', geometry, properties: { type: 'label', name, unique_id } };
}

const namesOf = (features: readonly Feature[]) => features.map(({ properties }) => properties.name).sort();

/** A page with a new map open. */
async function setUp() {
  const api = await testWholeApi();
  const ask = async (method: string, path: string, body?: unknown) =>
    (await api.request(method, path, { body, key: wholeKey })).body;
  const newMap = async () => ((await ask('POST', '/api/geo/designs', place)) as Design).map_uuid; // of the contract
  const map_uuid = await newMap();
  const page = mapPage(api);
  await page.store.open(map_uuid);
  const stored = async () => {
    const read = (await ask('GET', `/api/geo/overlays?geo_id=${map_uuid}`)) as FeatureCollection; // of the contract
    return namesOf(read.features);
  };
  const drawElsewhere = (geo_id: string, added: Feature[]) => ask('POST', '/api/geo/overlays/delta', { geo_id, added });
  return { ...page, map_uuid, newMap, stored, drawElsewhere, adding: page.within(() => useAdding()) };
}

it('adds shapes once, although the answer is lost and they are added again', async () => {
  const { store, adding, lost, stored } = await setUp();
  const shapes = () => [tree('Oak'), tree('Elm')]; // without ids of their own
  lost.push(saving);
  await expect(adding.add(shapes)).rejects.toMatchObject({ code: 'network' });
  expect(await stored()).toEqual(['Elm', 'Oak']);
  expect(namesOf(await adding.add(shapes))).toEqual(['Elm', 'Oak']);
  expect(await stored()).toEqual(['Elm', 'Oak']);
  expect(namesOf(store.features)).toEqual(['Elm', 'Oak']);

  store.undo();
  await store.flush();
  expect(await stored()).toEqual([]);
});

it('gives shapes of another map ids of their own once, although that answer is lost too', async () => {
  const { adding, lost, stored, newMap, drawElsewhere } = await setUp();
  const oak = tree('Oak');
  await drawElsewhere(await newMap(), [oak]);
  lost.push(saving);
  await expect(adding.add(() => [oak])).rejects.toMatchObject({ code: 'network' });
  const [added] = await adding.add(() => [oak]);
  expect(added?.properties.unique_id).not.toBe(oak.properties.unique_id);
  expect(await stored()).toEqual(['Oak']);
});

it('makes no copies of shapes that came onto the map by another way, and shows them', async () => {
  const { store, adding, map_uuid, stored, drawElsewhere } = await setUp();
  const oak = tree('Oak');
  await drawElsewhere(map_uuid, [oak]);
  await expect(adding.add(() => [oak, tree('Elm')])).rejects.toMatchObject({ code: 'duplicate_feature' });
  expect([await stored(), namesOf(store.features)]).toEqual([['Oak'], ['Oak']]);
});

it('has added the shapes though what others saved before cannot be read', async () => {
  const { store, adding, map_uuid, lost, stored, drawElsewhere } = await setUp();
  await drawElsewhere(map_uuid, [tree('Ash')]);
  lost.push('GET /api/geo/overlays');
  await adding.add(() => [tree('Oak')]);
  await store.flush();
  expect([lost, namesOf(store.features)]).toEqual([[], ['Oak']]);
  await store.flush();
  expect([await stored(), namesOf(store.features)]).toEqual([
    ['Ash', 'Oak'],
    ['Ash', 'Oak'],
  ]);
});

it('reads nothing again where nobody else saved', async () => {
  const { adding, calls } = await setUp();
  const before = calls.length;
  await adding.add(() => [tree('Oak')]);
  expect(calls.slice(before)).toEqual([saving]);
});

it('sends nothing of what no save can carry', async () => {
  const { store, adding, calls, stored } = await setUp();
  const before = calls.length;
  const much = () => [tree('x'.repeat(mostSaveBytes))];
  await expect(adding.add(much)).rejects.toMatchObject({ code: 'payload_too_large' });
  expect(calls.slice(before)).toEqual([]);
  expect([await stored(), store.saveState]).toEqual([[], 'saved']);
});
