import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished, vi } from 'vitest';
import { watch } from 'vue';
import { useImport } from '../../../renderer/features/map/use-import.ts';
import { readGeoJson } from '../../../renderer/map/geojson.ts';
import { atOnce } from '../../../renderer/map/slices.ts';
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
  const houses = new Set<string>();
  /** How many shapes stayed each time that some were taken back. */
  const staying: number[] = [];
  const options = { holdsHouse: (id: string) => houses.has(id), takenBack: (count: number) => staying.push(count) };
  const adding = page.within(() => useAdding(options));
  /** Once so many portions are on their way. */
  const sent = (count: number) => {
    const saves = () => page.calls.filter((call) => call === saving).length;
    return vi.waitFor(() => expect(saves()).toBe(count), { timeout: 20_000, interval: 1 });
  };
  return { ...page, ask, map_uuid, newMap, stored, drawElsewhere, houses, staying, options, adding, sent };
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

it('gives up on a line that has gone silent, and adds the same once when it is tried again', async () => {
  const { adding, silent, stored } = await setUp();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  silent.push(saving);
  const refused = expect(adding.add(() => [tree('Oak')])).rejects.toMatchObject({ code: 'network' });
  await vi.waitFor(() => expect(silent).toEqual([]));
  await vi.advanceTimersByTimeAsync(30_000);
  await refused;
  await adding.add(() => []);
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
  lost.push('GET /api/geo/overlays/changes');
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

/** So much text that seven of them are more than one save can carry, in portions of one each. */
const long = 'x'.repeat(3 * 1024 * 1024);
const grove = (count: number): Feature[] =>
  Array.from({ length: count }, (_, at) => {
    const one = tree(`Tree ${at}`);
    return { ...one, properties: { ...one.properties, note: long } };
  });

it('adds what is more than one save can carry in portions, as one undo step, and goes on after a lost answer', async () => {
  const { store, adding, lost, stored, calls } = await setUp();
  const shapes = grove(7);
  const before = calls.length;
  await adding.add(() => shapes.slice(0, 1));
  lost.push(saving);
  await expect(adding.add(() => shapes.slice(1).concat(grove(1)))).rejects.toMatchObject({ code: 'network' });
  expect(await stored()).toHaveLength(2);
  const progress: number[] = [];
  watch(adding.addedSoFar, (count) => progress.push(count), { flush: 'sync' });
  expect(await adding.add(() => [])).toHaveLength(7);
  expect(progress).toEqual([1, 2, 3, 4, 5, 6, 7, 0]);
  expect(calls.slice(before).filter((call) => call === saving)).toHaveLength(9); // one of them twice
  expect(await stored()).toHaveLength(8);
  store.undo();
  await store.flush();
  expect(await stored()).toEqual(['Tree 0']);
});

it('leaves nothing of portions whose later one is refused, and names its shape by its place among all', async () => {
  const { store, adding, stored } = await setUp();
  const shapes = grove(7);
  const flat = { type: 'Polygon' as const, coordinates: [[[127, 37], [127, 37], [127, 37], [127, 37]]] }; // prettier-ignore
  const bad = shapes.with(5, {
    ...tree('Flat'),
    geometry: flat,
    properties: { ...tree('Flat').properties, note: long },
  });
  await expect(adding.add(() => bad)).rejects.toMatchObject({
    fields: [{ path: expect.stringMatching(/^added\[5\]/) as string }],
  });
  await store.flush();
  expect([await stored(), store.features, store.canUndo]).toEqual([[], [], false]);
  adding.forget();
  expect(await adding.add(() => shapes)).toHaveLength(7);
  expect(await stored()).toHaveLength(7);
});

it('calls off what is being added in portions, and takes back what was added', async () => {
  const { store, adding, stored, calls, sent, staying } = await setUp();
  const work = adding.add(() => grove(7));
  await sent(1);
  adding.forget();
  await expect(work).rejects.toMatchObject({ name: 'AbortError' });
  expect(calls.filter((call) => call === saving)).toHaveLength(1);
  expect(staying).toEqual([0]);
  await store.flush();
  expect([await stored(), store.features, store.canUndo]).toEqual([[], [], false]);
});

it('sends nothing where it is called off while the shapes are still being made', async () => {
  const { store, adding, calls } = await setUp();
  const before = calls.length;
  const { promise: made, resolve: make } = Promise.withResolvers<Feature[]>();
  const work = adding.add(() => made);
  adding.forget();
  make([tree('Oak')]);
  await expect(work).rejects.toMatchObject({ name: 'AbortError' });
  expect([calls.slice(before), store.saveState, store.canUndo]).toEqual([[], 'saved', false]);
  expect(namesOf(await adding.add(() => [tree('Elm')]))).toEqual(['Elm']);
});

it('takes back a portion whose answer was lost, and says how many shapes stay that others changed or live in', async () => {
  const { store, adding, stored, sent, lost, ask, map_uuid, houses, staying } = await setUp();
  const shapes = grove(7);
  const [first, second] = shapes;
  if (first === undefined || second === undefined) throw new Error('there are seven');
  const work = adding.add(() => shapes);
  await sent(3);
  lost.push(saving);
  await expect(work).rejects.toMatchObject({ code: 'network' });
  expect(await stored()).toHaveLength(3);
  const renamed = { ...first, properties: { ...first.properties, name: 'Theirs' } };
  await ask('POST', '/api/geo/overlays/delta', { geo_id: map_uuid, modified: [renamed] });
  await store.follow((await ask('GET', `/api/geo/designs/${map_uuid}`)) as Design); // of the contract
  houses.add(second.properties.unique_id);
  adding.forget();
  await store.whenFree();
  await store.flush();
  expect([await stored(), staying]).toEqual([['Theirs', 'Tree 1'], [2]]);
});

it('undoes all that came in portions but for what someone else changed between them', async () => {
  const { store, adding, stored, sent, lost, ask, map_uuid } = await setUp();
  const shapes = grove(7);
  const [first] = shapes;
  if (first === undefined) throw new Error('there are seven');
  const work = adding.add(() => shapes);
  await sent(3);
  lost.push(saving);
  await expect(work).rejects.toMatchObject({ code: 'network' });
  const renamed = { ...first, properties: { ...first.properties, name: 'Theirs' } };
  await ask('POST', '/api/geo/overlays/delta', { geo_id: map_uuid, modified: [renamed] });
  await store.follow((await ask('GET', `/api/geo/designs/${map_uuid}`)) as Design); // of the contract
  await adding.add(() => []);
  expect(await stored()).toHaveLength(7);
  store.undo();
  await store.flush();
  expect([await stored(), store.canUndo]).toEqual([['Theirs'], false]);
});

it('says that shapes may stay where a portion whose answer was lost cannot be asked for', async () => {
  const { store, adding, lost, staying } = await setUp();
  lost.push(saving, saving);
  await expect(adding.add(() => [tree('Oak'), tree('Elm')])).rejects.toMatchObject({ code: 'network' });
  adding.forget();
  await store.whenFree();
  expect(staying).toEqual([2]);
});

it('adds nothing to a map that was opened meanwhile, and says what stays on the other', async () => {
  const { store, adding, newMap, staying, calls, sent } = await setUp();
  const other = await newMap();
  const work = adding.add(() => grove(7));
  await sent(1);
  const opening = store.open(other);
  await expect(work).rejects.toMatchObject({ name: 'AbortError' });
  await opening;
  await store.flush();
  expect([calls.filter((call) => call === saving).length, store.features, staying]).toEqual([1, [], [1]]);
});

it('holds the map open until what was called off is taken back', async () => {
  const { store, adding, sent, staying } = await setUp();
  const work = adding.add(() => grove(7)).catch(() => undefined);
  await sent(1);
  expect(store.isHeld()).toBe(true);
  adding.forget();
  await store.whenFree();
  expect([store.isHeld(), store.features, staying]).toEqual([false, [], [0]]);
  await work;
});

/** A page with a map of two trees, and what a file has of the first, which was moved in another program. */
async function setUpImport() {
  const page = await setUp();
  const { store, map_uuid, ask, options } = page;
  const [oak, elm] = [tree('Oak'), tree('Elm')];
  store.put([oak, elm]);
  await store.flush();
  const importing = page.within(() => useImport({ canPlace: () => false, ...options }));
  const moved = (others: object = {}) => ({
    ...oak,
    geometry: { type: 'Point' as const, coordinates: [127.001, 37] },
    properties: { ...oak.properties, ...others },
  });
  const begin = (...features: object[]) =>
    importing.begin(atOnce(readGeoJson(JSON.stringify({ type: 'FeatureCollection', features }))));
  const elsewhere = async (delta: object) => {
    await ask('POST', '/api/geo/overlays/delta', { geo_id: map_uuid, ...delta });
    await store.follow((await ask('GET', `/api/geo/designs/${map_uuid}`)) as Design); // of the contract
  };
  return { ...page, importing, oak, elm, moved, begin, elsewhere };
}

it('replaces shapes as they are now, and brings none back that is gone', async () => {
  const { importing, store, oak, elm, moved, begin, elsewhere } = await setUpImport();
  await begin(moved(), { ...elm, geometry: moved().geometry });
  importing.choice.value = 'replace';
  const renamed = { ...oak, properties: { ...oak.properties, name: 'Old oak', height_m: 12 } };
  await elsewhere({ modified: [renamed], deleted: [elm.properties.unique_id] });
  expect(await importing.run()).toMatchObject({ added: 0, replaced: 1 });
  expect(store.features).toMatchObject([{ geometry: moved().geometry, properties: { name: 'Oak', height_m: 12 } }]);
});

it('replaces shapes and adds pieces of them as one step', async () => {
  const { importing, store, moved, begin, stored } = await setUpImport();
  const before = store.features;
  const piece = { ...moved(), geometry: { type: 'Point', coordinates: [127.002, 37] } };
  await begin(moved(), piece, tree('Ash'));
  importing.choice.value = 'replace';
  const { takeBack } = await importing.run();
  await store.flush();
  expect(await stored()).toEqual(['Ash', 'Elm', 'Oak', 'Oak']);
  store.undo();
  expect(store.features).toEqual(before);
  store.redo();
  takeBack();
  expect(store.features).toEqual(before);
});

it('takes back only what is still as it was added, and has no house', async () => {
  const { importing, store, begin, houses } = await setUpImport();
  await begin(...['Ash', 'Fir', 'Yew'].map((name) => tree(name)));
  const { takeBack } = await importing.run();
  const [fir, yew] = ['Fir', 'Yew'].map((name) => store.features.find(({ properties }) => properties.name === name));
  if (fir === undefined || yew === undefined) throw new Error('both were added');
  store.put([{ ...fir, properties: { ...fir.properties, height_m: 12 } }]);
  houses.add(yew.properties.unique_id);
  takeBack();
  expect(namesOf(store.features)).toEqual(['Elm', 'Fir', 'Oak', 'Yew']);
});

it('leaves out a changed shape that cannot be added as new, and adds the others', async () => {
  const { importing, elm, moved, begin, stored } = await setUpImport();
  await begin(moved({ type: 'site' }), { ...elm, geometry: moved().geometry });
  importing.choice.value = 'add';
  const refusal: unknown = await importing.run().catch((thrown: unknown) => thrown);
  expect(await importing.leaveOut(refusal)).toBe(true);
  expect([...importing.faulty.value.keys()]).toEqual([0]);
  expect(await importing.run()).toMatchObject({ added: 1 });
  expect(await stored()).toEqual(['Elm', 'Elm', 'Oak']);
});
