import Sqlite from 'better-sqlite3';
import { zipSync } from 'fflate';
import wkx from 'wkx';

/** A square parcel with its attributes. */
export interface ParcelRow {
  /** Its south-west corner, in the units of the system. */
  corner: readonly [number, number];
  side: number;
  properties: Record<string, string>;
}

export function ringOf({ corner: [x, y], side }: Pick<ParcelRow, 'corner' | 'side'>): [number, number][] {
  return [
    [x, y],
    [x, y + side],
    [x + side, y + side],
    [x + side, y],
    [x, y],
  ];
}

export function geoJsonOf(rows: readonly ParcelRow[], crs?: string): Buffer {
  const features = rows.map((row) => ({
    type: 'Feature',
    properties: row.properties,
    geometry: { type: 'Polygon', coordinates: [ringOf(row)] },
  }));
  const named = crs === undefined ? {} : { crs: { type: 'name', properties: { name: crs } } };
  return Buffer.from(JSON.stringify({ type: 'FeatureCollection', ...named, features }));
}

interface ShapefileParts {
  prj?: string;
  cpg?: string;
  /** Encodes a text for the .dbf; default UTF-8. */
  encode?: (text: string) => Buffer;
  /** The language driver in the .dbf; default none. */
  driver?: number;
}

/** A ZIP with .shp, .dbf and the other given files (ESRI Shapefile Technical Description, 1998). */
export function shapefileZip(
  rows: readonly ParcelRow[],
  { prj, cpg, encode = (text) => Buffer.from(text), driver = 0 }: ShapefileParts = {},
): Buffer {
  const dbf = dbfOf(rows, encode);
  dbf[29] = driver;
  const parts: Record<string, Uint8Array> = { 'land/PARCELS.SHP': shpOf(rows), 'land/parcels.dbf': dbf };
  if (prj !== undefined) parts['land/parcels.prj'] = Buffer.from(prj);
  if (cpg !== undefined) parts['land/parcels.cpg'] = Buffer.from(cpg);
  return Buffer.from(zipSync(parts));
}

const polygon = 5;

export function shpOf(rows: readonly ParcelRow[]): Buffer {
  const head = Buffer.alloc(100);
  head.writeInt32BE(9994, 0);
  head.writeInt32LE(1000, 28);
  head.writeInt32LE(polygon, 32);
  const records = rows.map((row, index) => {
    const ring = ringOf(row);
    const content = Buffer.alloc(44 + 4 + 16 * ring.length);
    content.writeInt32LE(polygon, 0);
    const [x, y] = row.corner;
    [x, y, x + row.side, y + row.side].forEach((value, at) => content.writeDoubleLE(value, 4 + 8 * at));
    content.writeInt32LE(1, 36);
    content.writeInt32LE(ring.length, 40);
    ring.flat().forEach((value, at) => content.writeDoubleLE(value, 48 + 8 * at));
    const header = Buffer.alloc(8);
    header.writeInt32BE(index + 1, 0);
    header.writeInt32BE(content.length / 2, 4);
    return Buffer.concat([header, content]);
  });
  const all = Buffer.concat([head, ...records]);
  all.writeInt32BE(all.length / 2, 24);
  return all;
}

const fieldBytes = 60;

function dbfOf(rows: readonly ParcelRow[], encode: (text: string) => Buffer): Buffer {
  const names = Object.keys(rows[0]?.properties ?? {});
  const head = Buffer.alloc(32 + 32 * names.length + 1);
  const recordBytes = 1 + fieldBytes * names.length;
  head[0] = 3;
  head.writeUInt32LE(rows.length, 4);
  head.writeUInt16LE(head.length, 8);
  head.writeUInt16LE(recordBytes, 10);
  names.forEach((name, at) => {
    encode(name).copy(head, 32 + 32 * at, 0, 10);
    head.write('C', 32 + 32 * at + 11);
    head[32 + 32 * at + 16] = fieldBytes;
  });
  head[head.length - 1] = 0x0d;
  const records = rows.map(({ properties }) => {
    const record = Buffer.alloc(recordBytes, ' ');
    names.forEach((name, at) => encode(properties[name] ?? '').copy(record, 1 + fieldBytes * at, 0, fieldBytes));
    return record;
  });
  return Buffer.concat([head, ...records]);
}

/** A GeoPackage (OGC 12-128r19) with one layer. */
export function geoPackageOf(
  rows: readonly ParcelRow[],
  srs: { organization: string; code: number; wkt: string },
): Buffer {
  const db = new Sqlite(':memory:');
  db.exec(`
    CREATE TABLE gpkg_spatial_ref_sys (srs_id INTEGER PRIMARY KEY, organization TEXT, organization_coordsys_id INTEGER, definition TEXT);
    CREATE TABLE gpkg_geometry_columns (table_name TEXT, column_name TEXT, geometry_type_name TEXT, srs_id INTEGER);
    CREATE TABLE "par ""cels" (fid INTEGER PRIMARY KEY, geom BLOB, address TEXT);
    INSERT INTO gpkg_geometry_columns VALUES ('par "cels', 'geom', 'MULTIPOLYGON', 7);`);
  db.prepare('INSERT INTO gpkg_spatial_ref_sys VALUES (7, ?, ?, ?)').run(srs.organization, srs.code, srs.wkt);
  const insert = db.prepare('INSERT INTO "par ""cels" (geom, address) VALUES (?, ?)');
  for (const row of rows) {
    const wkb = wkx.Geometry.parseGeoJSON({ type: 'MultiPolygon', coordinates: [[ringOf(row)]] }).toWkb();
    const header = Buffer.from([0x47, 0x50, 0, 0b11, 7, 0, 0, 0]); // little-endian, an envelope of four
    insert.run(Buffer.concat([header, Buffer.alloc(32), wkb]), row.properties['address'] ?? '');
  }
  const bytes = db.serialize();
  db.close();
  return bytes;
}
