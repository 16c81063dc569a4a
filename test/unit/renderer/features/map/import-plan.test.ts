import { describe, expect, it } from 'vitest';
import { faultyOf, featuresOf, planImport, typesFor } from '../../../../../renderer/features/map/import-plan.ts';
import { readGeoJson } from '../../../../../renderer/map/geojson.ts';
import type { Geometry } from '../../../../../server/contract/overlay.ts';

const point: Geometry = { type: 'Point', coordinates: [127, 37] };
const line: Geometry = { type: 'LineString', coordinates: [...[127, 128]].map((lng) => [lng, 37]) };
const device = '6f2b8a54-6d43-4f07-9f6e-0c2f3b1d5a10';
const known = '0b9de1f4-3f3a-4f5b-9d35-5d1c0a7f7a11';

function found(...entries: [Geometry, object][]) {
  const features = entries.map(([geometry, properties]) => ({ type: 'Feature', geometry, properties }));
  return readGeoJson(JSON.stringify({ type: 'FeatureCollection', features }));
}

const ground = { has: (id: string) => id === known, canPlace: (id: string) => id === device };
const chosen = { area: 'reference', line: 'pipe', point: 'label' } as const;

describe('planImport', () => {
  it('leaves out what is on the map already, and asks for the types that are missing', () => {
    const plan = planImport(
      found([point, { unique_id: known.toUpperCase() }], [line, {}], [point, { type: 'equipment' }]),
      ground,
    );
    expect(plan).toMatchObject({ known: 1, skipped: 0, untyped: ['line'] });
    expect(plan.shapes).toHaveLength(2);
  });

  it('keeps a device that can stand here, and unties any other', () => {
    const here = { type: 'device', device_id: device, channel: 1 };
    const strange = { ...here, device_id: known };
    const { shapes } = planImport(found([point, here], [point, strange], [point, { device_id: device }]), ground);
    expect(shapes.map(({ type, others }) => [type, others])).toEqual([
      ['device', { device_id: device, channel: 1 }],
      [undefined, {}],
      [undefined, {}],
    ]);
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
  expect(featuresOf(shapes, chosen, () => `id-${(count += 1)}`).map(({ properties }) => properties)).toEqual([
    { type: 'pipe', name: 'Main', unique_id: 'id-1' },
    { type: 'equipment', name: '', unique_id: 'id-2', a: 1 },
    { type: 'label', name: 'Well', unique_id: kept },
    { type: 'label', name: 'Copy', unique_id: 'id-3' },
  ]);
});

it('reads which shapes a refusal names, the first fault of each', () => {
  const fields = ['added[3].geometry', 'added[0].geometry.coordinates[0][2]', 'added[3].properties', 'geo_id'];
  const faulty = faultyOf(fields.map((path, index) => ({ path, message: `m${index}` })));
  expect([...faulty]).toEqual([
    [3, 'm0'],
    [0, 'm1'],
  ]);
});

it('proposes a type that each kind may become', () => {
  expect(Object.values(typesFor).map(([first]) => first)).toEqual(['reference', 'reference', 'label']);
});
