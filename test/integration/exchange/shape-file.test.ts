import { randomUUID } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../server/contract/errors.ts';
import type { Feature, Geometry } from '../../../server/contract/overlay.ts';
import {
  mostPropertyColumns,
  columnsOf,
  propertyColumnBytes,
  type ShapesOfFile,
} from '../../../server/contract/shape-file.ts';
import { shapeFileTasks, type ShapeFileFormat } from '../../../server/services/map/shape-file-tasks.ts';
import { geoPackageOf, shapefileZip } from '../../support/parcel-files.ts';

const { readShapeFile, writeShapeFile } = shapeFileTasks;
const updated_at = '2026-03-01T06:00:00.000Z';

function read(bytes: Uint8Array, crs?: string): ShapesOfFile {
  return JSON.parse(readShapeFile(null, { bytes, crs })) as ShapesOfFile; // what the task writes
}

function write(features: readonly Feature[], format: ShapeFileFormat, crs = 'EPSG:4326'): Uint8Array {
  const design = new TextEncoder().encode(JSON.stringify({ name: '농장', updated_at, features: { features } }));
  return writeShapeFile(null, { design, format, crs });
}

function square(lng: number, lat: number, size: number): number[][] {
  return [
    [lng, lat],
    [lng + size, lat],
    [lng + size, lat + size],
    [lng, lat + size],
    [lng, lat],
  ];
}

const [lng, lat] = [127.123456789012, 37.512345678901];
const hole = square(lng + 0.0002, lat + 0.0002, 0.0001).reverse();
const geometries: Geometry[] = [
  { type: 'Point', coordinates: [lng, lat] },
  {
    type: 'LineString',
    coordinates: [
      [lng, lat],
      [lng + 0.001, lat],
      [lng + 0.001, lat + 0.001],
    ],
  },
  { type: 'Polygon', coordinates: [square(lng, lat, 0.001), hole] },
  { type: 'MultiPolygon', coordinates: [[square(lng, lat, 0.001), hole], [square(lng + 0.01, lat, 0.002)]] },
];
const farm: Feature[] = geometries.map((geometry, at) => ({
  type: 'Feature',
  geometry,
  properties: {
    type: 'reference',
    name: `온실 ${at} 温室`,
    unique_id: randomUUID(),
    ...(at === 2 && { no_trench: true, depth_m: 1.5 }),
  },
}));

/** Positions of a geometry; of rings without regard to where they begin and which way they go round. */
function positions(geometry: Geometry): number[][] {
  const flat = (geometry.coordinates.flat(geometry.type === 'Point' ? 0 : 3) as unknown[]).flat() as number[]; // of numbers
  const pairs = Array.from({ length: flat.length / 2 }, (_, at) => flat.slice(2 * at, 2 * at + 2));
  return pairs.sort(([ax = 0, ay = 0], [bx = 0, by = 0]) => ax - bx || ay - by);
}

/** Of the corners, in whatever order. */
function altitudes(geometry: Geometry | undefined): (number | undefined)[] {
  const all = (value: unknown[]): unknown[] =>
    Array.isArray(value[0]) ? value.flatMap((one) => all(one as unknown[])) : [value[2]]; // lists down to positions
  return (all(geometry?.coordinates ?? []) as (number | undefined)[]).sort(); // the third of each
}

describe('a map as a file', () => {
  it.each([
    ['shapefile', 'EPSG:4326'],
    ['geopackage', 'EPSG:4326'],
    ['shapefile', 'EPSG:5186'],
    ['geopackage', 'EPSG:5179'],
    ['geopackage', 'EPSG:32652'],
    ['shapefile', 'EPSG:5174'],
  ] as const)('as %s in %s comes back with its ids and geometry to 1e-9 degrees', (format, crs) => {
    const { features, skipped_count } = read(write(farm, format, crs));
    expect(skipped_count).toBe(0);
    expect(features).toHaveLength(farm.length);
    for (const { geometry, properties } of farm) {
      const found = features.find((one) => one.properties['unique_id'] === properties.unique_id);
      expect(found?.properties).toEqual(properties);
      expect(found?.geometry.type).toBe(geometry.type);
      const wanted = positions(geometry);
      for (const [at, [x = NaN, y = NaN]] of positions(found?.geometry ?? geometry).entries()) {
        const [wantedX = NaN, wantedY = NaN] = wanted[at] ?? [];
        expect(Math.max(Math.abs(x - wantedX), Math.abs(y - wantedY))).toBeLessThan(1e-9);
      }
    }
  });

  it.each(['shapefile', 'geopackage'] as const)('as %s keeps the altitudes of shapes that have them', (format) => {
    const lifted = (value: unknown[], at: number): unknown[] =>
      Array.isArray(value[0]) ? value.map((inner, index) => lifted(inner as unknown[], index)) : [...value, 10.5 + at];
    const points: Geometry = { type: 'MultiPoint', coordinates: [[lng, lat], [lng + 0.001, lat]] }; // prettier-ignore
    const high = [...geometries, points].flatMap((geometry): Feature[] => {
      const properties = { type: 'reference' as const, name: '', unique_id: randomUUID() };
      const raised = { ...geometry, coordinates: lifted(geometry.coordinates, 0) } as Geometry; // nested as before
      return [{ type: 'Feature', geometry: raised, properties }];
    });
    const { features } = read(write([...farm, ...high], format));
    expect(features).toHaveLength(farm.length + high.length);
    for (const { geometry, properties } of [...farm, ...high]) {
      const found = features.find((one) => one.properties['unique_id'] === properties.unique_id);
      expect(found?.geometry.type).toBe(geometry.type);
      expect(altitudes(found?.geometry)).toEqual(altitudes(geometry));
    }
  });

  it('is empty for an empty map, and cuts a long name between letters', () => {
    expect(read(write([], 'geopackage')).features).toEqual([]);
    const [first] = farm;
    const long = farm.slice(0, 1).map((one) => ({ ...one, properties: { ...one.properties, name: '온'.repeat(200) } }));
    const [shape] = read(write(long, 'shapefile')).features;
    expect(shape?.properties['name']).toBe('온'.repeat(84));
    expect(shape?.properties['unique_id']).toBe(first?.properties.unique_id);
  });

  it('as a Shapefile runs other properties on through columns, and leaves out the longest beyond them', () => {
    const texts = [' '.repeat(700), '온실 '.repeat(300), `"\\ 　\u00a0`.repeat(200), 'a'.repeat(254)];
    const noted = (note: string): Feature[] =>
      farm.slice(2, 3).map((one) => ({ ...one, properties: { ...one.properties, note } }));
    for (const note of texts) {
      const [shape] = read(write([...noted(note), ...farm.slice(3)], 'shapefile')).features;
      expect(shape?.properties).toEqual(noted(note)[0]?.properties);
    }
    const [shape] = read(write(noted('b'.repeat(30_000)), 'shapefile')).features;
    expect(shape?.properties).toEqual(farm[2]?.properties);
  });

  it('as a Shapefile holds as much of each shape as it says, however they are spelled', () => {
    const most = mostPropertyColumns(1) * propertyColumnBytes;
    const room = most - Buffer.byteLength('{"note":""}');
    for (const letter of ['a', '온', '😀', ' ']) {
      const note = letter.repeat(Math.floor(room / Buffer.byteLength(letter)));
      const one: Feature = {
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [lng, lat] },
        properties: { type: 'label', name: '', unique_id: randomUUID(), note },
      };
      expect(Buffer.byteLength(columnsOf(one).properties ?? '')).toBeLessThanOrEqual(most);
      expect(read(write([one], 'shapefile')).features[0]?.properties['note']).toBe(note);
    }
  });

  it('is a GeoPackage by its own tables', () => {
    const db = new Sqlite(Buffer.from(write(farm, 'geopackage', 'EPSG:5186')));
    expect(db.pragma('application_id', { simple: true })).toBe(0x47504b47);
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(db.prepare('SELECT srs_id, identifier FROM gpkg_contents').get()).toEqual({
      srs_id: 5186,
      identifier: '농장',
    });
    db.close();
  });
});

describe('a file of somebody else', () => {
  const rows = [{ corner: [200_000, 600_000] as const, side: 100, properties: { name: '비닐하우스 1동' } }];
  const cp949 = Buffer.from([0xba, 0xf1, 0xb4, 0xd2]); // 비닐

  it('has its names in the code page of its country', () => {
    const named = rows.map((row) => ({ ...row, properties: { name: 'x' } }));
    const bytes = shapefileZip(named, {
      cpg: 'CP949',
      encode: (text) => (text === 'x' ? cp949 : Buffer.from(text)),
    });
    const { features, crs } = read(bytes, 'EPSG:5186');
    expect(features[0]?.properties['name']).toBe('비닐');
    expect(crs).toEqual(['EPSG:5186']);
    expect(features[0]?.geometry.coordinates.flat(2).slice(0, 2)).toEqual([
      expect.closeTo(127, 5),
      expect.closeTo(38, 5),
    ]);
  });

  it('has rows that lie nowhere on the earth, which are named', () => {
    const lost = { corner: [9e9, 9e9] as const, side: 100, properties: { name: 'Lost' } };
    const found = read(shapefileZip([...rows, lost]), 'EPSG:5186');
    expect(found).toMatchObject({ features: { length: 1 }, skipped_count: 1, skipped_names: ['Lost'] });
  });

  it.each([
    ['1252', 'latin1', 'Größe', 0],
    ['ISO-8859-1', 'latin1', 'Größe', 0],
    ['ISO 8859-1', 'latin1', 'Größe', 0],
    ['88591', 'latin1', 'Größe', 0],
    ['ANSI 1252', 'latin1', 'Größe', 0],
    ['GBK', 'ce c2 ca d2', '温室', 0],
    ['936', 'ce c2 ca d2', '温室', 0],
    ['nothing that is known', 'ce c2 ca d2', '温室', 0x4d],
    ['UTF-8', 'utf8', 'Größe', 0x4d],
    [undefined, 'c3 fa e0 ed', 'Гъан', 0xc9],
  ] as const)('has its names in the code page %s', (cpg, encoded, name, driver) => {
    const bytes = encoded.includes(' ') ? Buffer.from(encoded.replaceAll(' ', ''), 'hex') : undefined;
    const encode = (text: string): Buffer =>
      text !== 'x' ? Buffer.from(text) : (bytes ?? Buffer.from(name, encoded === 'latin1' ? 'latin1' : 'utf8'));
    const named = rows.map((row) => ({ ...row, properties: { name: 'x' } }));
    const zip = shapefileZip(named, { encode, driver, ...(cpg !== undefined && { cpg }) });
    expect(read(zip, 'EPSG:5186').features[0]?.properties['name']).toBe(name);
  });

  it('is a GeoPackage whose system is known by its definition alone', () => {
    const wkt = `PROJCS["ETRS89 / UTM zone 32N",GEOGCS["ETRS89",DATUM["D",SPHEROID["GRS 1980",6378137,298.257222101],TOWGS84[0,0,0,0,0,0,0]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",9],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1]]`;
    const farms = [{ corner: [500_000, 5_761_038] as const, side: 100, properties: { address: 'Hannover' } }];
    const { crs, features } = read(geoPackageOf(farms, { organization: 'EPSG', code: 25832, wkt }));
    expect(crs).toEqual(['EPSG:25832']);
    expect(features[0]?.geometry.coordinates.flat(2)[0]).toEqual([expect.closeTo(9, 6), expect.closeTo(52, 4)]);
    expect(() => read(geoPackageOf(farms, { organization: 'EPSG', code: 25832, wkt: 'undefined' }))).toThrow(
      'EPSG:25832 is not known here',
    );
  });

  it.each([
    ['without its coordinate system', shapefileZip(rows), undefined, 'unknown_crs'],
    ['in degrees that are none', shapefileZip(rows), 'EPSG:4326', 'unreadable_file'],
    ['that is half a ZIP', shapefileZip(rows).subarray(0, 120), 'EPSG:5186', 'unreadable_file'],
    [
      'that is half a GeoPackage',
      geoPackageOf(rows, { organization: 'EPSG', code: 5186, wkt: '' }).subarray(0, 6000),
      undefined,
      'unreadable_file',
    ],
    ['that is a text', Buffer.from('hello'), undefined, 'unreadable_file'],
  ])('%s is refused by what is wrong with it', (_what, bytes, crs, code) => {
    let refusal: unknown;
    try {
      read(bytes, crs);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({ code });
  });
});
