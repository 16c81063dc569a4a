import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { useCall } from '../../../renderer/client/client.ts';
import { followOthers } from '../../../renderer/features/map/use-others-saves.ts';
import type { Design } from '../../../server/contract/design.ts';
import type { Feature } from '../../../server/contract/overlay.ts';
import { mapPage, type MapPage } from '../../support/open-map.ts';
import { testWholeApi, wholeKey } from '../../support/whole-api.ts';

const place = { name: 'Farm', lat: 37, lng: 127, zoom: 18 };
const tree = (): Feature => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [127, 37] },
  properties: { type: 'label', name: 'Oak', unique_id: randomUUID() },
});

/** Two browsers with the same map of one tree open. */
async function setUp() {
  const api = await testWholeApi();
  const ask = async (path: string, body: unknown) => (await api.request('POST', path, { body, key: wholeKey })).body;
  const { map_uuid } = (await ask('/api/geo/designs', place)) as Design; // of the contract
  await ask('/api/geo/overlays/delta', { geo_id: map_uuid, added: [tree()] });
  const [one, other] = [mapPage(api), mapPage(api)];
  for (const page of [one, other]) await page.store.open(map_uuid);
  const follow = async (page: MapPage): Promise<void> => {
    const call = page.within(() => useCall());
    await followOthers({ call, store: page.store, mapUuid: () => map_uuid, mayFollow: () => true });
  };
  return { one, other, follow, ask, map_uuid };
}

it('hides a layer in another browser, which reads no map for it', async () => {
  const { one, other, follow } = await setUp();
  other.calls.length = 0;
  const hidden = [{ id: 'label', visible: false }];
  await one.store.saveLayers(hidden);
  await follow(other);
  expect(other.calls).toEqual(['GET /api/geo/overlays/changes']);
  expect(other.store.design?.layers.overlays).toEqual(hidden);
  expect(other.store.features).toHaveLength(1);
});

it('takes over the name that another gave the map while both draw', async () => {
  const { one, other, ask, map_uuid } = await setUp();
  const [oak] = other.store.features;
  if (oak === undefined) throw new Error('it is there');
  await ask('/api/geo/designs', { map_uuid, name: 'North farm' });
  one.store.put([{ ...oak, properties: { ...oak.properties, name: 'Elm' } }]);
  await one.store.flush();
  other.store.put([{ ...oak, properties: { ...oak.properties, name: 'Ash' } }]);
  await other.store.flush();
  expect(other.store.conflicts).toHaveLength(1);
  expect(other.store.design?.name).toBe('North farm');
});

it('takes over name and layers also where an edit has it read the map whole', async () => {
  const { one, other, ask, map_uuid } = await setUp();
  const hidden = [{ id: 'label', visible: false }];
  await ask('/api/geo/designs', { map_uuid, name: 'North farm' });
  await one.store.saveLayers(hidden);
  other.store.doubt();
  other.store.put([tree()]);
  await other.store.flush();
  const { design } = other.store;
  expect([design?.name, design?.layers.overlays]).toEqual(['North farm', hidden]);
  expect([other.store.revision(), design?.revision]).toEqual([4, 4]);
});

it('answers a save of layers without the features where that is asked for', async () => {
  const { ask, map_uuid } = await setUp();
  const body = { map_uuid, layers: { overlays: [] } };
  expect(await ask('/api/geo/designs?features=false', body)).toMatchObject({ map_uuid, revision: 2 });
  expect(await ask('/api/geo/designs?features=false', body)).not.toHaveProperty('features');
  expect(await ask('/api/geo/designs', body)).toHaveProperty('features');
});
