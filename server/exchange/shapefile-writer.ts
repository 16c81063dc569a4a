import { zipSync, type Zippable } from 'fflate';
import type { Geometry } from '../contract/overlay.ts';
import type { WrittenFeature } from './written-feature.ts';

/*
 * ESRI Shapefile Technical Description, 1998, and dBASE III as GDAL writes it. Own code: packages that write Shapefiles
 * are unmaintained, and write names in one byte a character.
 */

const kinds = [
  { name: 'points', shape: 8, types: ['Point', 'MultiPoint'] },
  { name: 'lines', shape: 3, types: ['LineString', 'MultiLineString'] },
  { name: 'areas', shape: 5, types: ['Polygon', 'MultiPolygon'] },
] as const;

type Position = readonly number[];

/**
 * A ZIP with a Shapefile for each kind of geometry; names are in UTF-8, as the .cpg says. `stem` is the name of the
 * files.
 */
export function writeShapefiles(
  features: readonly WrittenFeature[],
  { stem, wkt }: { stem: string; wkt: string },
): Buffer {
  const parts: Zippable = {};
  for (const { name, shape, types } of kinds) {
    const own = features.filter(({ geometry }) => types.some((type) => type === geometry.type));
    if (own.length === 0) continue;
    const records = own.map(({ geometry }) => recordOf(shape, partsOf(geometry)));
    const file = `${stem}-${name}`;
    parts[`${file}.shp`] = shpOf(shape, records);
    parts[`${file}.shx`] = shxOf(shape, records);
    parts[`${file}.dbf`] = dbfOf(own);
    parts[`${file}.prj`] = Buffer.from(wkt);
    parts[`${file}.cpg`] = Buffer.from('UTF-8');
  }
  return Buffer.from(zipSync(parts, { level: 6 }));
}

/** Points as one part; outlines clockwise and holes counter-clockwise, the reverse of GeoJSON. */
function partsOf(geometry: Geometry): Position[][] {
  switch (geometry.type) {
    case 'Point':
      return [[geometry.coordinates]];
    case 'MultiPoint':
    case 'LineString':
      return [geometry.coordinates];
    case 'MultiLineString':
      return geometry.coordinates;
    case 'Polygon':
      return geometry.coordinates.map(turned);
    case 'MultiPolygon':
      return geometry.coordinates.flatMap((polygon) => polygon.map(turned));
  }
}

function turned(ring: readonly Position[], index: number): Position[] {
  const isClockwise = doubleAreaOf(ring) < 0;
  return isClockwise === (index === 0) ? [...ring] : ring.toReversed();
}

function doubleAreaOf(ring: readonly Position[]): number {
  const [originX = 0, originY = 0] = ring[0] ?? [];
  return ring.reduce((sum, [x = 0, y = 0], at) => {
    const [nextX = 0, nextY = 0] = ring[at + 1] ?? ring[0] ?? [];
    return sum + (x - originX) * (nextY - originY) - (nextX - originX) * (y - originY);
  }, 0);
}

interface Box {
  low: [number, number];
  high: [number, number];
}

interface Record {
  content: Buffer;
  box: Box;
}

function boxOf(points: Iterable<Position>): Box {
  const box: Box = { low: [Infinity, Infinity], high: [-Infinity, -Infinity] };
  for (const [x = 0, y = 0] of points) {
    box.low = [Math.min(box.low[0], x), Math.min(box.low[1], y)];
    box.high = [Math.max(box.high[0], x), Math.max(box.high[1], y)];
  }
  return box;
}

function recordOf(shape: number, parts: readonly (readonly Position[])[]): Record {
  const points = parts.flat();
  const box = boxOf(points);
  const hasParts = shape !== 8;
  const partBytes = hasParts ? 4 + 4 * parts.length : 0;
  const content = Buffer.alloc(36 + partBytes + 4 + 16 * points.length);
  content.writeInt32LE(shape, 0);
  [...box.low, ...box.high].forEach((value, at) => content.writeDoubleLE(value, 4 + 8 * at));
  let at = 36;
  if (hasParts) at = content.writeInt32LE(parts.length, at);
  at = content.writeInt32LE(points.length, at);
  let first = 0;
  for (const part of hasParts ? parts : []) {
    at = content.writeInt32LE(first, at);
    first += part.length;
  }
  for (const [x = 0, y = 0] of points) at = content.writeDoubleLE(y, content.writeDoubleLE(x, at));
  return { content, box };
}

function headOf(shape: number, records: readonly Record[], bytes: number): Buffer {
  const head = Buffer.alloc(100);
  const { low, high } = boxOf(records.flatMap(({ box }) => [box.low, box.high]));
  head.writeInt32BE(9994, 0);
  head.writeInt32BE(bytes / 2, 24);
  head.writeInt32LE(1000, 28);
  head.writeInt32LE(shape, 32);
  [...low, ...high].forEach((value, at) => head.writeDoubleLE(value, 36 + 8 * at));
  return head;
}

function shpOf(shape: number, records: readonly Record[]): Buffer {
  const parts = records.flatMap(({ content }, index) => {
    const header = Buffer.alloc(8);
    header.writeInt32BE(index + 1, 0);
    header.writeInt32BE(content.length / 2, 4);
    return [header, content];
  });
  const bytes = 100 + parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([headOf(shape, records, bytes), ...parts]);
}

function shxOf(shape: number, records: readonly Record[]): Buffer {
  const index = Buffer.alloc(8 * records.length);
  let at = 100;
  for (const [number, { content }] of records.entries()) {
    index.writeInt32BE(at / 2, 8 * number);
    index.writeInt32BE(content.length / 2, 8 * number + 4);
    at += 8 + content.length;
  }
  return Buffer.concat([headOf(shape, records, 100 + index.length), index]);
}

const fields = [
  { name: 'unique_id', type: 'C', bytes: 36 },
  { name: 'type', type: 'C', bytes: 20 },
  { name: 'name', type: 'C', bytes: 254 },
  { name: 'device_id', type: 'C', bytes: 36 },
  { name: 'channel', type: 'N', bytes: 10 },
  { name: 'properties', type: 'C', bytes: 254 },
] as const;

function dbfOf(features: readonly WrittenFeature[]): Buffer {
  const recordBytes = 1 + fields.reduce((sum, { bytes }) => sum + bytes, 0);
  const head = Buffer.alloc(32 + 32 * fields.length + 1);
  head.set([3, 126, 1, 1], 0); // dBASE III, and a date that says nothing
  head.writeUInt32LE(features.length, 4);
  head.writeUInt16LE(head.length, 8);
  head.writeUInt16LE(recordBytes, 10);
  for (const [at, { name, type, bytes }] of fields.entries()) {
    head.write(name, 32 + 32 * at, 'latin1');
    head.write(type, 32 + 32 * at + 11, 'latin1');
    head[32 + 32 * at + 16] = bytes;
  }
  head[head.length - 1] = 0x0d;
  const records = features.map(({ columns }) => {
    const record = Buffer.alloc(recordBytes, ' ');
    let at = 1;
    for (const { name, bytes } of fields) {
      textOf(columns[name], bytes, name === 'name').copy(record, at);
      at += bytes;
    }
    return record;
  });
  return Buffer.concat([head, ...records, Buffer.from([0x1a])]);
}

/** A text that is too long is cut between characters if allowed, else left out. */
function textOf(value: string | number | null, most: number, mayCut: boolean): Buffer {
  const bytes = Buffer.from(value === null ? '' : String(value));
  if (bytes.length <= most) return bytes;
  if (!mayCut) return Buffer.alloc(0);
  let end = most;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1; // within a letter of UTF-8
  return bytes.subarray(0, end);
}
