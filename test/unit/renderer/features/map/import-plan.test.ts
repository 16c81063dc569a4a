import { describe, expect, it } from 'vitest';
import {
  changesBy,
  faultyOf,
  featuresOf,
  planImport as planning,
  typesFor,
  type Ground,
} from '../../../../../renderer/features/map/import-plan.ts';
import { allShapes, geoJsonEntries, withFaults, type FoundShapes } from '../../../../../renderer/map/geojson.ts';
import { atOnce } from '../../../../../renderer/map/slices.ts';
import type { Feature, Geometry } from '../../../../../server/contract/overlay.ts';

const point: Geometry = { type: 'Point', coordinates: [127, 37] };
const line: Geometry = { type: 'LineString', coordinates: [127, 128].map((lng) => [lng, 37]) };
const device = '6f2b8a54-6d43-4f07-9f6e-0c2f3b1d5a10';
const known = '0b9de1f4-3f3a-4f5b-9d35-5d1c0a7f7a11';

function found(...entries: [Geometry, object][]) {
  const features = entries.map(([geometry, properties]) => ({ type: 'Feature', geometry, properties }));
  const file = geoJsonEntries(JSON.stringify({ type: 'FeatureCollection', features }));
  return atOnce(allShapes({ ...file, found: withFaults(file.found) }));
}

const here: Feature = { type: 'Feature', geometry: point, properties: { type: 'label', name: '', unique_id: known } };
const ground = { find: (id: string) => (id === known ? here : undefined), canPlace: (id: string) => id === device };
const chosen = { area: 'reference', line: 'pipe', point: 'label' } as const;

const planImport = (shapes: FoundShapes, on: Ground) => atOnce(planning(shapes, on));

describe('planImport', () => {
  it('leaves out what is on the map already, and asks for the types that are missing', () => {
    const plan = planImport(
      found([point, { unique_id: known.toUpperCase() }], [line, {}], [point, { type: 'equipment' }]),
      ground,
    );
    expect(plan).toMatchObject({ known: 1, refused: [], untyped: ['line'] });
    expect(plan.shapes).toHaveLength(2);
  });

  const ring = (...corners: number[][]): Geometry => ({
    type: 'Polygon',
    coordinates: [[...corners, corners[0] ?? []]],
  });

  it.each<[string, Geometry, object, string | null]>([
    ['an outline that crosses itself', ring([127, 37], [128, 38], [128, 37], [127, 38]), {}, 'crossing'],
    ['an outline without an area', ring([127, 37], [128, 38], [129, 39]), {}, 'area'],
    ['a line without a length', { type: 'LineString', coordinates: [[127, 37], [127, 37]] }, {}, 'length'], // prettier-ignore
    ['a point off the earth', { type: 'Point', coordinates: [127, 97] }, {}, 'range'],
    ['a site that is a point', point, { type: 'site' }, 'kind'],
    ['a device that is a line and cannot be placed', line, { type: 'device', device_id: known }, null],
    ['a sound outline', ring([127, 37], [128, 37], [128, 38]), { type: 'site' }, null],
  ])('says of %s why it cannot be added, before anything is sent', (_what, geometry, properties, kind) => {
    const { shapes, refused } = planImport(found([geometry, { ...properties, name: 'Shed' }]), ground);
    expect(refused).toEqual(kind === null ? [] : [{ name: 'Shed', kind }]);
    expect(shapes).toHaveLength(kind === null ? 1 : 0);
  });

  it('keeps a device that can stand here, and unties any other', () => {
    const placed = { type: 'device', device_id: device, channel: 1 };
    const strange = { ...placed, device_id: known };
    const { shapes } = planImport(found([point, placed], [point, strange], [point, { device_id: device }]), ground);
    expect(shapes.map(({ type, others }) => [type, others])).toEqual([
      ['device', { device_id: device, channel: 1 }],
      [undefined, {}],
      [undefined, {}],
    ]);
  });
});

describe('a shape that comes back from another program', () => {
  const ring = [[127, 37, 12.5], [127.001, 37], [127.001, 37.001], [127, 37.001]]; // prettier-ignore
  const closed = (corners: number[][]): number[][] => [...corners, corners[0] ?? []];
  const house: Feature = {
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates: [closed(ring)] },
    properties: { type: 'facility', name: '온'.repeat(100), unique_id: known, depth_m: 1.5, tags: { b: 1, a: [2] } },
  };
  const mapped = { ...ground, find: (id: string) => (id === known ? house : undefined) };
  const flat = ring.map(([lng = 0, lat = 0]) => [lng + 4e-10, lat - 4e-10]);
  const turned = [...flat.slice(2), ...flat.slice(0, 2)].toReversed();
  const alike: Geometry = { type: 'MultiPolygon', coordinates: [[closed(turned)]] };
  const moved: Geometry = { type: 'Polygon', coordinates: [closed(flat.with(1, [127.002, 37]))] };

  it.each([
    ['begins its ring elsewhere', alike, {}],
    ['has texts alone', alike, { type: 'bay', depth_m: '1.5', tags: '{"a":[2],"b":1}' }],
    ['has a name that was cut', alike, { name: '온'.repeat(84) }],
    ['says less, and names its device', alike, { name: '', device_id: device }],
  ])('and %s is the same', (_what, geometry, properties) => {
    const plan = planImport(found([geometry, { ...properties, unique_id: known }]), mapped);
    expect(plan).toMatchObject({ known: 1, changed: [], shapes: [] });
  });

  it('keeps its kinds of values, and its part in a plan with the figures of it', () => {
    const texts = { depth_m: '2', plan_id: 'theirs', unique_id: known };
    const { changed } = planImport(found([alike, texts]), mapped);
    expect(changesBy(changed, 'replace').put[0]?.properties).toEqual({ ...house.properties, depth_m: 2 });
    const planned = { ...house, properties: { ...house.properties, plan_id: 'ours' } };
    const plan = planImport(found([alike, texts]), { ...ground, find: () => planned });
    expect(plan).toMatchObject({ known: 1, changed: [] });
  });

  it('is no part of a plan any more where it is added as new', () => {
    const { changed } = planImport(found([moved, { unique_id: known, plan_id: 'ours', depth_m: 2 }]), mapped);
    expect(changesBy(changed, 'add').add).toMatchObject([{ others: { depth_m: 2 } }]);
    expect(changesBy(changed, 'add').add[0]?.others).not.toHaveProperty('plan_id');
  });

  it('is there once though the file has it twice', () => {
    const entries = [moved, moved].map((geometry): [Geometry, object] => [geometry, { unique_id: known }]);
    const plan = planImport(found(...entries), mapped);
    expect(plan).toMatchObject({ known: 1, changed: { length: 1 } });
    expect(changesBy(plan.changed, 'replace').add).toEqual([]);
  });

  it('differs by its corners, name or properties, and may replace the one on the map', () => {
    const properties = { type: 'bay', name: 'North', depth_m: 2, tags: house.properties.tags, unique_id: known };
    const { changed, known: same, shapes } = planImport(found([moved, properties]), mapped);
    expect([changed.length, same, shapes.length]).toEqual([1, 0, 0]);
    expect(changesBy(changed, 'skip')).toEqual({ put: [], add: [] });
    // The corners that did not move have the digits and altitudes of ours.
    const geometry = { type: 'Polygon', coordinates: [closed(ring.with(1, [127.002, 37]))] };
    const replaced = { ...house, geometry, properties: { ...house.properties, name: 'North', depth_m: 2 } };
    expect(changesBy(changed, 'replace')).toEqual({ put: [replaced], add: [] });
    const { put, add } = changesBy(changed, 'add');
    expect(put).toEqual([]);
    expect(add).toMatchObject([{ geometry: moved, name: 'North', type: 'bay', unique_id: undefined }]);
  });

  it.each([
    ['through the same corners', [0, 1, 2], 1],
    ['back to front, as a flow would', [2, 1, 0], 0],
    ['through its corners in another order', [0, 2, 1], 0],
  ])('and is a line that goes %s', (_what, order, known_count) => {
    const lineOf = (at: number[]): Geometry => ({ type: 'LineString', coordinates: at.map((one) => ring[one] ?? []) });
    const pipe: Feature = { ...house, geometry: lineOf([0, 1, 2]) };
    const plan = planImport(found([lineOf(order), { unique_id: known }]), { ...ground, find: () => pipe });
    expect(plan).toMatchObject({ known: known_count, changed: { length: 1 - known_count } });
  });

  it('is left out where the service would refuse it', () => {
    const crossed: Geometry = { type: 'Polygon', coordinates: [closed([0, 2, 1, 3].map((at) => flat[at] ?? []))] };
    const plan = planImport(found([crossed, { unique_id: known }]), mapped);
    expect(plan).toMatchObject({
      known: 0,
      changed: [],
      refused: [{ name: house.properties.name, kind: 'crossing' }],
      shapes: [],
    });
  });

  it('keeps digits and altitudes where it did not move', () => {
    const { changed } = planImport(found([alike, { unique_id: known, depth_m: 2 }]), mapped);
    const [replaced] = changesBy(changed, 'replace').put;
    expect(replaced?.geometry).toEqual(house.geometry);
  });

  it('and was cut there replaces the one on the map by its first piece, beside the others', () => {
    const entries = [moved, alike].map((geometry): [Geometry, object] => [geometry, { unique_id: known }]);
    const { changed } = planImport(found(...entries), mapped);
    const { put, add } = changesBy(changed, 'replace');
    expect(put.map(({ geometry }) => geometry.coordinates)).toEqual([[closed(ring.with(1, [127.002, 37]))]]);
    expect(add).toMatchObject([{ geometry: alike, type: 'facility', unique_id: undefined }]);
  });
});

it('keeps the id of a shape once, gives the others one, and the chosen type to what has none', () => {
  const kept = '00000000-0000-4000-8000-0000000000aa';
  const { shapes } = planImport(
    found(
      [line, { name: 'Main' }],
      [point, { type: 'equipment', a: 1, unique_id: 'fid 7' }],
      [point, { type: 'label', name: 'Well', unique_id: kept.toUpperCase() }],
      [point, { type: 'label', name: 'Copy', unique_id: kept }],
    ),
    ground,
  );
  let count = 0;
  const features = atOnce(featuresOf(shapes, chosen, () => `id-${(count += 1)}`));
  expect(features.map(({ properties }) => properties)).toEqual([
    { type: 'pipe', name: 'Main', unique_id: 'id-1' },
    { type: 'equipment', name: '', unique_id: 'id-2', a: 1 },
    { type: 'label', name: 'Well', unique_id: kept },
    { type: 'label', name: 'Copy', unique_id: 'id-3' },
  ]);
});

it('reads which shapes a refusal names, the first fault of each', () => {
  const fields = ['added[3].geometry', 'added[0].geometry.coordinates[0][2]', 'added[3].properties', 'geo_id'];
  const faulty = faultyOf(fields.map((path, index) => ({ path, message: `m${index}` })));
  expect([...faulty].map(([at, { message }]) => [at, message])).toEqual([
    [3, 'm0'],
    [0, 'm1'],
  ]);
});

it('proposes a type that each kind may become', () => {
  expect(Object.values(typesFor).map(([first]) => first)).toEqual(['reference', 'reference', 'label']);
});

it('rests at each shape, so that a long file does not stop the page', () => {
  const shapes = found(...Array.from({ length: 100 }, (_, at): [Geometry, object] => [point, { name: `Tree ${at}` }]));
  const plan = planImport(shapes, ground);
  for (const work of [planning(shapes, ground), featuresOf(plan.shapes, chosen, () => 'new')]) {
    expect([...work]).toHaveLength(100);
  }
});
