import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { featuresOf } from '../../../../renderer/features/map/import-plan.ts';
import { exportKindNames, exportKinds } from '../../../../renderer/features/map/export-kinds.ts';
import { pathsOf } from '../../../../renderer/map/geometry.ts';
import { kmzOf } from '../../../../renderer/map/kmz.ts';
import { readEntries } from '../../../../renderer/map/file-entries.ts';
import { allShapes } from '../../../../renderer/map/geojson.ts';
import { atOnce } from '../../../../renderer/map/slices.ts';
import { decimalText } from '../../../../renderer/map/written/decimal-text.ts';
import { csvText } from '../../../../renderer/map/written/csv-text.ts';
import { gpxText } from '../../../../renderer/map/written/gpx-text.ts';
import { kmlText } from '../../../../renderer/map/written/kml-text.ts';
import type { Feature, Geometry } from '../../../../server/contract/overlay.ts';

const ring = (lng: number, lat: number, size: number): number[][] =>
  [[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]].map(([x = 0, y = 0]) => [lng + x * size, lat + y * size]); // prettier-ignore
const hole = ring(127.0002, 37.0002, 0.0001).toReversed();
const geometries: Geometry[] = [
  { type: 'Point', coordinates: [-127.123456789012, -37.5, 12.25] },
  { type: 'Point', coordinates: [1.5e-7, -2e-9] },
  { type: 'MultiPoint', coordinates: [[127, 37], [127.1, 37, 3]] }, // prettier-ignore
  { type: 'LineString', coordinates: [[127, 37, -4.5], [127.1, 37.00000000001, 0], [127.2, 37.1]] }, // prettier-ignore
  { type: 'MultiLineString', coordinates: [[[127, 37], [127.1, 37]], [[128, 37], [128.1, 37]]] }, // prettier-ignore
  { type: 'Polygon', coordinates: [ring(127, 37, 0.0005), hole] },
  { type: 'MultiPolygon', coordinates: [[ring(127, 37, 0.0005), hole], [ring(128, 37, 0.0005)]] },
];
const idAt = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
const said = { note: 'a <b> & "c"\u0007\nd', depth_m: 1.5, tags: { b: [1, null, '온실'] }, ok: false, title: 'x' };

function featureOf(geometry: Geometry, at: number, name: string): Feature {
  const type = geometry.type.endsWith('Polygon') ? 'facility' : 'infrastructure';
  return { type: 'Feature', geometry, properties: { ...said, type, name, unique_id: idAt(at) } };
}

type Writer = (features: readonly Feature[]) => string | Uint8Array;
const writers: Record<'kml' | 'kmz' | 'gpx' | 'csv', Writer> = {
  kml: (features) => kmlText('Farm <1>', features),
  kmz: (features) => kmzOf(kmlText('Farm', features)),
  gpx: (features) => gpxText('Farm & field', features),
  csv: csvText,
};

async function thereAndBack(kind: keyof typeof writers, features: readonly Feature[]): Promise<Feature[]> {
  const held = features.filter((one) => exportKinds[kind].holds?.(one) ?? true);
  const written = writers[kind](held);
  const bytes = typeof written === 'string' ? new TextEncoder().encode(written) : written;
  const { shapes, skipped } = atOnce(allShapes(readEntries(`farm.${kind}`, new Uint8Array(bytes).buffer, 'en')));
  expect(skipped).toEqual([]);
  const untyped = { area: 'reference', line: 'reference', point: 'reference' } as const;
  return atOnce(featuresOf(shapes, untyped, () => 'new'));
}

const byId = (features: readonly Feature[]): Feature[] =>
  features.toSorted((a, b) => (a.properties.unique_id < b.properties.unique_id ? -1 : 1));

describe.each(['kml', 'kmz', 'gpx', 'csv'] as const)('a map saved as %s and read again', (kind) => {
  it('has the same ids, names, types, properties and positions of all that the kind can hold', async () => {
    const names = ['온실 <1> & "2"', '', "=1+1 'x'", '-3', 'a,b;c', 'ハウス', ']]>'];
    const features = geometries.map((geometry, at) => featureOf(geometry, at, names[at] ?? ''));
    const held = features.filter((one) => exportKinds[kind].holds?.(one) ?? true);
    expect(held.length).toBe({ kml: 7, kmz: 7, gpx: 4, csv: 2 }[kind]);
    const back = byId(await thereAndBack(kind, features));
    expect(back.map(({ properties }) => properties)).toEqual(held.map(({ properties }) => properties));
    for (const [at, { geometry }] of back.entries()) {
      const [theirs, ours] = [pathsOf(geometry), pathsOf(held[at]?.geometry ?? geometry)];
      expect(geometry.type).toBe(held[at]?.geometry.type);
      expect(theirs.length).toBe(ours.length);
      for (const [index, { positions }] of theirs.entries()) {
        for (const [corner, position] of positions.entries()) {
          const own = ours[index]?.positions[corner] ?? [];
          expect(position.length).toBe(own.length);
          for (const [axis, value] of position.entries()) expect(value).toBeCloseTo(own[axis] ?? NaN, 10);
        }
      }
    }
  });

  it('keeps a device where it stands', async () => {
    const [geometry] = geometries;
    if (geometry === undefined) throw new Error('there is a point');
    const device = { type: 'device', name: 'T1', unique_id: idAt(1), device_id: idAt(2), channel: 3 } as const;
    const back = await thereAndBack(kind, [{ type: 'Feature', geometry, properties: device }]);
    expect(back.map(({ properties }) => properties)).toEqual([device]);
  });

  it('keeps any properties', async () => {
    const key = fc
      .string()
      .filter((one) => !['type', 'name', 'unique_id', 'device_id', 'channel', 'map_uuid', '__proto__'].includes(one));
    const others = fc.dictionary(key, fc.jsonValue(), { noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(others, async (properties) => {
        const point: Geometry = { type: 'Point', coordinates: [127, 37] };
        const sent = { ...properties, type: 'label' as const, name: 'P', unique_id: idAt(1) };
        const back = await thereAndBack(kind, [{ type: 'Feature', geometry: point, properties: sent }]);
        expect(JSON.parse(JSON.stringify(back[0]?.properties))).toEqual(JSON.parse(JSON.stringify(sent)));
      }),
      { numRuns: 60 },
    );
  });
});

it.each(['＝1', '＋', '－3', '＠farm', "'quoted'"])(
  'keeps the name %s in a table, which a spreadsheet may take for a formula',
  async (name) => {
    const [geometry] = geometries;
    if (geometry === undefined) throw new Error('there is a point');
    const [back] = await thereAndBack('csv', [featureOf(geometry, 1, name)]);
    expect(back?.properties.name).toBe(name);
  },
);

it.each([
  [1e30, '1000000000000000000000000000000'],
  [-1e21, '-1000000000000000000000'],
  [1.5e-7, '0.00000015'],
  [100, '100'],
])('writes %s without an exponent', (value, text) => {
  expect(decimalText(value)).toBe(text);
});

it('names each kind of file by its own ending', () => {
  const endings = exportKindNames.map((name) => exportKinds[name].ending);
  expect(new Set(endings).size).toBe(endings.length);
});
