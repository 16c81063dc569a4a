import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { FileFault } from '../../../../renderer/map/file-fault.ts';
import { allShapes } from '../../../../renderer/map/geojson.ts';
import { readEntries } from '../../../../renderer/map/file-entries.ts';
import { atOnce } from '../../../../renderer/map/slices.ts';

const fixtures = join(import.meta.dirname, '../../../fixtures/shapes');
const fixture = (name: string): ArrayBuffer => new Uint8Array(readFileSync(join(fixtures, name))).buffer;
const bytesOf = (text: string): ArrayBuffer => new Uint8Array(new TextEncoder().encode(text)).buffer;
const read = async (name: string, bytes: ArrayBuffer | string) =>
  atOnce(allShapes(readEntries(name, typeof bytes === 'string' ? bytesOf(bytes) : bytes, 'ko')));

async function faultOf(name: string, text: string): Promise<string> {
  const error: unknown = await read(name, text).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof FileFault ? error.fault : String(error);
}

describe('a file of shapes', () => {
  it('is KML: areas and lines of all folders', async () => {
    const { shapes, skipped } = await read('Field.KML', fixture('field.kml'));
    expect(shapes.map(({ name, geometry }) => [name, geometry.type])).toEqual([
      ['North field', 'Polygon'],
      ['Main', 'LineString'],
    ]);
    expect(skipped).toHaveLength(1);
  });

  const areaAt = (corner: number): string => {
    const ring = [[0, 0], [2, 0], [2, 2], [0, 2], [0, 0]].map(([x = 0, y = 0]) => `${corner + x},${corner + y}`).join(' '); // prettier-ignore
    return `<Polygon><outerBoundaryIs><LinearRing><coordinates>${ring}</coordinates></LinearRing></outerBoundaryIs></Polygon>`;
  };
  const placeOf = (content: string): string =>
    `<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><name>Field</name>${content}</Placemark></kml>`;

  it.each([
    ['lie apart are one shape', 5, ['MultiPolygon']],
    ['overlap are shapes by themselves', 1, ['Polygon', 'Polygon']],
  ])('of KML: areas of one place that %s', async (_how, corner, types) => {
    const { shapes } = await read('a.kml', placeOf(`<MultiGeometry>${areaAt(0)}${areaAt(corner)}</MultiGeometry>`));
    expect(shapes.map(({ geometry }) => geometry.type)).toEqual(types);
  });

  it('of KML says nothing of how another program draws a shape', async () => {
    const look =
      '<visibility>0</visibility><styleUrl>#a</styleUrl><Style><LineStyle><color>ff0000ff</color><width>2</width></LineStyle><PolyStyle><fill>0</fill></PolyStyle></Style>';
    const said = '<ExtendedData><Data name="crop"><value>rice</value></Data></ExtendedData>';
    const { shapes } = await read('a.kml', placeOf(`${look}${said}${areaAt(0)}`));
    expect(shapes[0]?.others).toEqual({ crop: 'rice' });
  });

  it('is GPX: waypoints and tracks, without the times of each point', async () => {
    const { shapes } = await read('walk.gpx', fixture('walk.gpx'));
    expect(shapes.map(({ name, geometry }) => [name, geometry.type])).toEqual([
      ['Fence', 'LineString'],
      ['Gate', 'Point'],
    ]);
    expect(JSON.stringify(shapes)).not.toContain('2026-06-01T00:01:00Z');
  });

  it.each([
    ['commas', 'name,lat,lng,crop\nWell,37.5,127.1,\n', {}],
    ['semicolons and decimal commas', 'Name;Longitude;Latitude;crop\nWell;127,1;37,5;rice', { crop: 'rice' }],
    ['tabs and a mark of UTF-8', '\uFEFF이름\t위도\t경도\nWell\t37.5\t127.1', {}],
  ])('is a table of points, with %s', async (_name, text, others) => {
    const { shapes, skipped } = await read('points.csv', text);
    const geometry = { type: 'Point', coordinates: [127.1, 37.5] };
    expect(shapes).toEqual([{ name: 'Well', geometry, type: undefined, unique_id: undefined, others }]);
    expect(skipped).toEqual([]);
  });

  it('leaves out rows that are no place on the earth', async () => {
    const { shapes, skipped } = await read('p.csv', 'lat,lng\n37,127\n97,127\nnorth,127\n37\n');
    expect([shapes.length, skipped.length]).toEqual([1, 3]);
  });

  it('reads what a Korean spreadsheet writes', async () => {
    // 이름,lat,lng and 우물,37,127 in EUC-KR.
    const euc = [
      0xc0,
      0xcc,
      0xb8,
      0xa7,
      ...Buffer.from(',lat,lng\n'),
      0xbf,
      0xec,
      0xb9,
      0xb0,
      ...Buffer.from(',37,127'),
    ];
    const { shapes } = await read('p.csv', new Uint8Array(euc).buffer);
    expect(shapes[0]?.name).toBe('우물');
  });

  it('reads the KML in a KMZ, and says where there is none', async () => {
    const kmz = (name: string) => new Uint8Array(zipSync({ [name]: new Uint8Array(fixture('field.kml')) })).buffer;
    expect(await read('field.kmz', kmz('doc.kml'))).toEqual(await read('field.kml', fixture('field.kml')));
    await expect(read('field.kmz', kmz('doc.txt'))).rejects.toMatchObject({ fault: 'notKmz' });
  });

  it('is GeoJSON by any other name', async () => {
    expect((await read('a.json', '{"type":"Point","coordinates":[127,37]}')).shapes).toHaveLength(1);
    expect(await faultOf('a.geojson', '{')).toBe('notJson');
  });

  it.each([
    ['a.kmz', 'PK', 'damagedZip'],
    ['a.kml', '<kml><Document>', 'notXml'],
    ['a.kml', '', 'notXml'],
    ['a.kml', 'Fields', 'notXml'],
    ['a.kml', '<kml><name>Wells & tanks</name></kml>', 'notXml'],
    ['a.kml', '<kml><name>&well;</name></kml>', 'notXml'],
    ['a.kml', '<kml><description><![CDATA[<b>Cut off</kml>', 'notXml'],
    ['a.gpx', '<gpx><wpt lat=1 lon=2/></gpx>', 'notXml'],
    ['a.kml', '<gpx/>', 'notKml'],
    ['a.gpx', '<kml/>', 'notGpx'],
    ['a.csv', 'lat,lng\n"37,127', 'notCsv'],
    ['a.csv', 'north,east\n37,127', 'noColumns'],
    ['a.csv', '', 'noColumns'],
  ])('says what is wrong with %s: %s', async (name, text, fault) => {
    expect(await faultOf(name, text)).toBe(fault);
  });
});
