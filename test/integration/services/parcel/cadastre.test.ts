import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import proj4 from 'proj4';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cadastreMigrations } from '../../../../server/db/migrations/cadastre.ts';
import { openDatabase } from '../../../../server/db/open.ts';
import { parcelBoxes } from '../../../../server/db/migrations/cadastre/0003-parcel-boxes.ts';
import { CadastreRepository } from '../../../../server/db/repositories/cadastre.ts';
import { systemActor } from '../../../../server/auth/system-actor.ts';
import { CadastreService } from '../../../../server/services/parcel/cadastre.ts';
import { cadastreTasks, type ImportSent } from '../../../../server/services/parcel/cadastre-tasks.ts';
import { cancelFlag } from '../../../../server/worker/cancelling.ts';
import { geoJsonOf, geoPackageOf, shapefileZip, shpOf, type ParcelRow } from '../../../support/parcel-files.ts';

const central = '+proj=tmerc +lat_0=38 +lon_0=127 +k=1 +x_0=200000 +y_0=600000 +ellps=GRS80 +units=m';
const centralWkt =
  'PROJCS["Korea_2000_Korea_Central_Belt_2010",GEOGCS["GCS_Korea_2000",DATUM["D_Korea_2000",SPHEROID["GRS_1980",6378137.0,298.257222101]],' +
  'PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",200000.0],' +
  'PARAMETER["False_Northing",600000.0],PARAMETER["Central_Meridian",127.0],PARAMETER["Scale_Factor",1.0],PARAMETER["Latitude_Of_Origin",38.0],' +
  'UNIT["Meter",1.0]]';
const besselWkt = centralWkt.replace('"GRS_1980",6378137.0,298.257222101', '"Bessel_1841",6377397.155,299.1528128');

const place = [127.0005, 37.0001] as const;
const [east = 0, north = 0] = proj4('EPSG:4326', central, [...place]);
const address = '경기도 화성시 송산면 12-3대';
const inMetres: ParcelRow[] = [{ corner: [east, north], side: 20, properties: { address } }];
const inDegrees: ParcelRow[] = [{ corner: place, side: 0.0002, properties: { address } }];

/** CP949 of the few syllables that are tried, for Node writes no such text. */
const cp949: Record<string, number> = { 송: 0xbcdb, 산: 0xbbea, 면: 0xb8e9, 리: 0xb8ae };
const encode = (text: string): Buffer =>
  Buffer.from(
    [...text].flatMap((sign) =>
      cp949[sign] === undefined ? [sign.charCodeAt(0)] : [cp949[sign] >> 8, cp949[sign] & 0xff],
    ),
  );

function cadastre() {
  const db = openDatabase(':memory:', { migrations: cadastreMigrations });
  const store = new CadastreRepository(db);
  const take = (bytes: Buffer, crs?: string, signal = new AbortController().signal) => {
    const sent: ImportSent = {
      bytes,
      name: 'Village',
      attribution: 'Registry',
      crs,
      imported_at: '2026-01-01T00:00:00.000Z',
    };
    const running = { cancelled: cancelFlag(signal), progress: new Int32Array(new SharedArrayBuffer(4)) };
    return cadastreTasks.importParcels(store, sent, running);
  };
  const codeOf = (bytes: Buffer, crs?: string): string => {
    try {
      take(bytes, crs);
      return 'taken';
    } catch (error) {
      return (error as { code: string }).code; // a refusal
    }
  };
  return { db, store, take, codeOf };
}

describe('the file of all parcels', () => {
  it('is made by the worker, and made anew where it is damaged', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'orangery-cadastre-'));
    const file = join(folder, 'cadastre.db');
    writeFileSync(file, 'this is no database, '.repeat(500));
    const cadastres = new CadastreService({ file, clock: Date.now, audit: { record: () => undefined } });
    onTestFinished(async () => {
      await cadastres.close();
      rmSync(folder, { recursive: true, force: true });
    });
    expect(await Promise.all([cadastres.list(), cadastres.search('송산면', 5)])).toEqual([[], []]);
    expect(readdirSync(folder).filter((name) => name.includes('.damaged-'))).toHaveLength(1);
    const query = { name: 'Village', crs: undefined, attribution: undefined };
    const { run } = await cadastres.importing(geoJsonOf(inDegrees), query, systemActor);
    expect(await run(() => undefined, new AbortController().signal)).toMatchObject({ parcel_count: 1 });
    expect(await cadastres.search('송산면', 5)).toMatchObject([{ address }]);
  });
});

describe('a file of parcels', () => {
  const package5186 = { organization: 'EPSG', code: 5186, wkt: 'undefined' };
  it.each([
    ['GeoJSON in degrees', geoJsonOf(inDegrees), undefined],
    ['GeoJSON that names its system', geoJsonOf(inMetres, 'urn:ogc:def:crs:EPSG::5186'), undefined],
    [
      'GeoJSON in a ZIP, in the system that the caller names',
      Buffer.from(zipSync({ 'a.geojson': geoJsonOf(inMetres) })),
      'EPSG:5186',
    ],
    ['a Shapefile with its .prj', shapefileZip(inMetres, { prj: centralWkt }), undefined],
    ['a Shapefile without .prj, in the system that the caller names', shapefileZip(inMetres), 'EPSG:5186'],
    ['a GeoPackage', geoPackageOf(inMetres, package5186), undefined],
    [
      'a GeoPackage with a WKT of its own',
      geoPackageOf(inMetres, { ...package5186, organization: 'NONE', wkt: centralWkt }),
      undefined,
    ],
  ])('%s stands where it is', (_, bytes, crs) => {
    const { store, take } = cadastre();
    expect(take(bytes, crs)).toMatchObject({ name: 'Village', parcel_count: 1, skipped_count: 0 });
    const [found] = store.search('송산면 12-3', 5);
    expect(found).toMatchObject({ address, attribution: 'Registry' });
    const numbers = (found?.geometry.coordinates ?? []).flat(3);
    const [lng = NaN, lat = NaN] = numbers;
    expect(Math.abs(lng - place[0]) + Math.abs(lat - place[1])).toBeLessThan(2e-7);
  });

  it('has its texts in CP949, whether the .cpg says so or not', () => {
    const rows = [
      {
        ...inMetres[0],
        corner: [east, north],
        side: 20,
        properties: { EMD_NM: '송산면', JIBUN: '12-3', PNU: '41590' },
      },
    ] as ParcelRow[];
    for (const parts of [{ cpg: 'CP949' }, {}]) {
      const { store, take } = cadastre();
      take(shapefileZip(rows, { prj: centralWkt, encode, ...parts }));
      expect(store.search('송산면 12-3', 1)).toMatchObject([{ address: '송산면 12-3', parcel_id: '41590' }]);
    }
  });

  it.each([
    ['of metres of which nobody knows the system', shapefileZip(inMetres), undefined, 'unknown_crs'],
    ['in a system that is not known here', geoJsonOf(inMetres), 'EPSG:9999', 'unknown_crs'],
    ['on an ellipsoid that stands off', shapefileZip(inMetres, { prj: besselWkt }), undefined, 'unknown_crs'],
    ['with a .prj that is none', shapefileZip(inMetres, { prj: 'hello' }), undefined, 'unknown_crs'],
    ['in metres although it says nothing', geoJsonOf(inMetres), undefined, 'unreadable_file'],
    ['without features', geoJsonOf([]), undefined, 'unreadable_file'],
    ['that is a text', Buffer.from('hello'), undefined, 'unreadable_file'],
    ['that is half a ZIP', shapefileZip(inMetres, { prj: centralWkt }).subarray(0, 200), undefined, 'unreadable_file'],
    ['that is half a GeoPackage', geoPackageOf(inMetres, package5186).subarray(0, 5000), undefined, 'unreadable_file'],
    [
      'that is a ZIP of something else',
      Buffer.from(zipSync({ 'a.txt': Buffer.from('x') })),
      undefined,
      'unreadable_file',
    ],
  ])('%s is refused, and nothing is stored', (_, bytes, crs, code) => {
    const { store, codeOf } = cadastre();
    expect(codeOf(bytes, crs)).toBe(code);
    expect([store.list(), store.search('12', 5)]).toEqual([[], []]);
  });

  it('leaves out rows without an outline that can be drawn, and counts them', () => {
    const bow = [[127, 37], [127.001, 37.001], [127.001, 37], [127, 37.001], [127, 37]]; // prettier-ignore
    const bad = [
      { type: 'Polygon', coordinates: [bow] },
      { type: 'Point', coordinates: [127, 37] },
      { type: 'Polygon', coordinates: 'x' },
      { type: 'Polygon', coordinates: [[[1e9, 37]]] },
      null,
    ];
    const read = JSON.parse(geoJsonOf(inDegrees).toString()) as { features: unknown[] }; // as it was written
    read.features.push('no feature', ...bad.map((geometry) => ({ type: 'Feature', properties: null, geometry })));
    expect(cadastre().take(Buffer.from(JSON.stringify(read)))).toMatchObject({ parcel_count: 1, skipped_count: 6 });
  });

  it('that would unpack to gigabytes, or has records without end, is refused at once', () => {
    const { codeOf } = cadastre();
    const bomb = Buffer.from(zipSync({ 'a.shp': new Uint8Array(1_000) }));
    const said = bomb.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24; // the size in the directory
    bomb.writeUInt32LE(0xf0000000, said);
    expect(codeOf(bomb)).toBe('payload_too_large');
    const shp = shpOf(inMetres);
    shp.writeInt32BE(-4, 104);
    expect(codeOf(Buffer.from(zipSync({ 'a.shp': shp, 'a.prj': Buffer.from(centralWkt) })))).toBe('unreadable_file');
    const dbf = Buffer.alloc(100);
    dbf.writeUInt32LE(0xffffffff, 4);
    dbf.writeUInt16LE(33, 8);
    dbf.writeUInt16LE(1, 10);
    expect(codeOf(Buffer.from(zipSync({ 'a.shp': shpOf(inMetres), 'a.dbf': dbf })))).toBe('unreadable_file');
    const deep = `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":${'['.repeat(50_000)}${']'.repeat(50_000)}}}]}`;
    expect(codeOf(Buffer.from(deep))).toBe('unreadable_file');
  });

  it('that is cancelled leaves nothing', () => {
    const { store, take } = cadastre();
    expect(() => take(geoJsonOf(inDegrees), undefined, AbortSignal.abort())).toThrow('cancelled');
    expect(store.list()).toEqual([]);
  });
});

describe('the search of an address', () => {
  const addresses = [
    '경기도 화성시 송산면 12',
    '경기도 화성시 송산면 12-3대',
    '경기도 화성시 송산면 112-34',
    '경기도 화성시 서신면 12-3',
    '山梨県 甲府市 丸の内 一丁目 12－3',
    '12 Orchard Lane, Ely',
    '112 Orchard Lane, Ely',
  ];
  const rows = addresses.map((one, at): ParcelRow => ({
    corner: [127 + at / 1000, 37],
    side: 0.0002,
    properties: { address: one, PNU: `4159025300100120${at}` },
  }));

  it.each([
    ['송산면 12', [0]],
    ['송산면', [0, 1, 2]],
    ['송산면 12-4', []],
    ['화성시 송산면 12-3', [1]],
    ['송산면12-3', [1]],
    ['화성시 12-3', [3, 1]],
    ['12-3', [3, 1, 4]],
    ['甲府市丸の内一丁目１２－３', [4]],
    ['丸の内', [4]],
    ['orchard lane', [5, 6]],
    ['12 ORCHARD LANE, ELY', [5]],
    ['41590253001001203', [3]],
    ['４１５９０２５３００１００１２０３', [3]],
    ['4159025300100120', [0, 1, 2, 3, 4]],
    ['4159025300100121', []],
    ['Nowhere 1', []],
    ['" OR *', []],
    ['  ', []],
  ])('%s finds %j', (text, expected) => {
    const { store, take } = cadastre();
    take(geoJsonOf(rows));
    expect(store.search(text, 5).map(({ address: one }) => addresses.indexOf(one))).toEqual(expected);
  });

  it('takes the start of a number for a lot where there is one, and a whole number always', () => {
    const { store, take } = cadastre();
    const named = [
      ['송산면 1021-35', 'A1'],
      ['송산면 7', '1021-35-9'],
      ['송산면 8', '1022-35'],
      ['송산면 1022-35', 'A2'],
      ['송산면 9', '1023-35-1'],
    ] as const;
    take(
      geoJsonOf(
        named.map(([one, PNU], at) => ({
          corner: [127 + at / 1000, 37],
          side: 0.0002,
          properties: { address: one, PNU },
        })),
      ),
    );
    const found = (text: string) => store.search(text, 5).map(({ parcel_id }) => parcel_id);
    expect(['1021-35', '1022-35', '1023-35'].map(found)).toEqual([['A1'], ['1022-35'], ['1023-35-1']]);
  });

  it('finds what lies at a place, and of a file from before as well', () => {
    const { db, store, take } = cadastre();
    take(geoJsonOf(rows));
    const found = (lng: number, lat: number) => store.at({ lng, lat }, 5).map((one) => addresses.indexOf(one.address));
    expect([found(127.0011, 37.0001), found(127.0015, 37.0001), found(127.0001, 37.0003)]).toEqual([[1], [], []]);
    db.exec('DROP TABLE parcel_boxes; DROP TRIGGER parcel_unboxed');
    db.exec(parcelBoxes.sql);
    expect([found(127.0011, 37.0001), found(127.0015, 37.0001)]).toEqual([[1], []]);
  });

  it('finds nothing more of a file that was deleted', () => {
    const { db, store, take } = cadastre();
    const { unique_id } = take(geoJsonOf(rows));
    take(geoJsonOf(inDegrees));
    expect(cadastreTasks.removeCadastre(store, unique_id)).toBe(true);
    expect([store.search('orchard', 5), store.at({ lng: 127.0051, lat: 37.0001 }, 5)]).toEqual([[], []]);
    expect(store.search('송산면', 5)).toHaveLength(1);
    expect(db.prepare("INSERT INTO parcel_text (parcel_text) VALUES ('integrity-check')").run()).toBeDefined();
    expect(cadastreTasks.removeCadastre(store, unique_id)).toBe(false);
  });
});
