import { describe, expect, it } from 'vitest';
import { FileFault } from '../../../../renderer/map/file-fault.ts';
import { readGeoJson as reading, writeGeoJson } from '../../../../renderer/map/geojson.ts';
import { atOnce } from '../../../../renderer/map/slices.ts';
import type { Feature } from '../../../../server/contract/overlay.ts';

const point = { type: 'Point' as const, coordinates: [127, 37] };
const feature = (properties: object | null, geometry: unknown = point) => ({ type: 'Feature', geometry, properties });
const readGeoJson = (text: string) => atOnce(reading(text));
const read = (root: unknown) => readGeoJson(JSON.stringify(root));

function faultOf(text: string): [string, string] | undefined {
  try {
    readGeoJson(text);
  } catch (error) {
    if (error instanceof FileFault) return [error.fault, error.crs];
  }
  return undefined;
}

describe('readGeoJson', () => {
  it('reads back what was written, with all that is said of it', () => {
    const unique_id = '6f2b8a54-6d43-4f07-9f6e-0c2f3b1d5a10';
    const one: Feature = {
      type: 'Feature',
      geometry: point,
      properties: { type: 'label', name: 'Gate', unique_id, colour: 'red' },
    };
    expect(readGeoJson(writeGeoJson([one]))).toEqual({
      shapes: [{ geometry: point, name: 'Gate', type: 'label', unique_id, others: { colour: 'red' } }],
      skipped: [],
    });
  });

  it.each([
    ['a feature', feature(null), 1],
    ['a bare geometry', point, 1],
    ['a collection of geometries', { type: 'GeometryCollection', geometries: [point, point] }, 2],
    ['a feature with a collection', feature({}, { type: 'GeometryCollection', geometries: [point, point] }), 2],
    ['members beside the geometry', feature({}, { ...point, bbox: [0, 0, 1, 1] }), 1],
    ['WGS 84 said in words', { ...point, crs: { properties: { name: 'urn:ogc:def:crs:OGC:1.3:CRS84' } } }, 1],
  ])('takes %s', (_what, root, count) => {
    expect(read(root).shapes).toHaveLength(count);
  });

  it('names what has no geometry to draw', () => {
    const features = [
      feature({ NAME: 'Gate' }, null),
      feature({}, { type: 'Circle', coordinates: [1] }),
      'x',
      feature({}),
    ];
    expect(read({ type: 'FeatureCollection', features })).toMatchObject({
      shapes: [{ geometry: point }],
      skipped: ['Gate', '', ''],
    });
  });

  it('keeps a type of others beside ours, and a name however it is written', () => {
    const [shape] = read(feature({ type: 'building', NAME: 'Shed', height: 3 })).shapes;
    expect(shape).toMatchObject({ type: undefined, name: 'Shed', others: { original_type: 'building', height: 3 } });
  });

  it('leaves properties of others as they are, whatever they are named', () => {
    const said = { properties: '{"a":1}', channel: '5', other: '' };
    expect(read(feature(said)).shapes[0]?.others).toEqual(said);
    expect(read(feature({ properties: null })).shapes[0]?.others).toEqual({ properties: null });
  });

  it('drops what no server takes', () => {
    const text = `{"type":"Feature","geometry":${JSON.stringify(point)},"properties":{"__proto__":{"a":1},"b":2}}`;
    expect(JSON.stringify(readGeoJson(text).shapes[0]?.others)).toBe('{"b":2}');
  });

  it.each([
    ['{', 'notJson', ''],
    ['[1]', 'notGeoJson', ''],
    ['{"a":1}', 'notGeoJson', ''],
    ['{"type":"FeatureCollection","features":[],"crs":{"properties":{"name":"EPSG:5186"}}}', 'otherCrs', 'EPSG:5186'],
  ])('refuses %s: %s', (text, fault, crs) => {
    expect(faultOf(text)).toEqual([fault, crs]);
  });
});
