import { zipSync, type Zippable } from 'fflate';
import type { Geometry } from '../contract/overlay.ts';
import { mostPropertyColumns } from '../contract/shape-file.ts';
import { dbfOf } from './dbf-writer.ts';
import type { WrittenFeature } from './written-feature.ts';

/*
 * ESRI Shapefile Technical Description, 1998. Own code: packages that write Shapefiles are unmaintained, and write names
 * in one byte a character.
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
    parts[`${file}.dbf`] = dbfOf(own, mostPropertyColumns(features.length));
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
