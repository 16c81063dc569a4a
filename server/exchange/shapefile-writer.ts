import { zipSync, type Zippable } from 'fflate';
import type { Geometry } from '../contract/overlay.ts';
import { mostPropertyColumns } from '../contract/shape-file.ts';
import { dbfOf } from './dbf-writer.ts';
import type { WrittenFeature } from './written-feature.ts';

/*
 * ESRI Shapefile Technical Description, 1998. Own code: packages that write Shapefiles are unmaintained, and write
 * names in one byte a character.
 */

/** A file holds shapes of one code; `isHigh` has an altitude at every corner. */
const kinds = [
  { name: 'points', shape: 8, types: ['Point', 'MultiPoint'], isHigh: false },
  { name: 'lines', shape: 3, types: ['LineString', 'MultiLineString'], isHigh: false },
  { name: 'areas', shape: 5, types: ['Polygon', 'MultiPolygon'], isHigh: false },
  { name: 'points-z', shape: 11, types: ['Point'], isHigh: true },
  { name: 'multipoints-z', shape: 18, types: ['MultiPoint'], isHigh: true },
  { name: 'lines-z', shape: 13, types: ['LineString', 'MultiLineString'], isHigh: true },
  { name: 'areas-z', shape: 15, types: ['Polygon', 'MultiPolygon'], isHigh: true },
] as const;

type Kind = (typeof kinds)[number];

/** "No data" is what lies below -1e38 (p. 2). */
const noMeasure = -1e39;

type Position = readonly number[];

interface Shape extends WrittenFeature {
  parts: Position[][];
  /** At every corner. */
  hasAltitudes: boolean;
}

/**
 * A ZIP with a Shapefile for each kind of geometry, and one for those of it with altitudes; names are in UTF-8, as the
 * .cpg says. `stem` is the name of the files.
 */
export function writeShapefiles(
  features: readonly WrittenFeature[],
  { stem, wkt }: { stem: string; wkt: string },
): Buffer {
  const files: Zippable = {};
  const shapes = features.map(shapeOf);
  for (const kind of kinds) {
    const { shape } = kind;
    const own = shapes.filter((one) => isOfKind(one, kind));
    if (own.length === 0) continue;
    const records = own.map(({ parts }) => recordOf(kind, parts));
    const file = `${stem}-${kind.name}`;
    files[`${file}.shp`] = shpOf(shape, records);
    files[`${file}.shx`] = shxOf(shape, records);
    files[`${file}.dbf`] = dbfOf(own, mostPropertyColumns(features.length));
    files[`${file}.prj`] = Buffer.from(wkt);
    files[`${file}.cpg`] = Buffer.from('UTF-8');
  }
  return Buffer.from(zipSync(files, { level: 6 }));
}

function shapeOf(feature: WrittenFeature): Shape {
  const geometry = single(feature.geometry);
  const parts = partsOf(geometry);
  const hasAltitudes = parts.every((part) => part.every((position) => position.length > 2));
  return { ...feature, geometry, parts, hasAltitudes };
}

/** Some readers, shpjs 6 too, look for the altitude of a collection of one point four bytes too far. */
function single(geometry: Geometry): Geometry {
  const [only = [], second] = geometry.type === 'MultiPoint' ? geometry.coordinates : [];
  return geometry.type === 'MultiPoint' && second === undefined ? { type: 'Point', coordinates: only } : geometry;
}

function isOfKind({ geometry, hasAltitudes }: Shape, { types, isHigh }: Kind): boolean {
  return types.some((type) => type === geometry.type) && hasAltitudes === isHigh;
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

/** x, y and the altitude, 0 where there is none. */
interface Box {
  low: [number, number, number];
  high: [number, number, number];
}

interface ShapeRecord {
  content: Buffer;
  box: Box;
}

function boxOf(points: Iterable<Position>): Box {
  const box: Box = { low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] };
  for (const [x = 0, y = 0, z = 0] of points) {
    box.low = [Math.min(box.low[0], x), Math.min(box.low[1], y), Math.min(box.low[2], z)];
    box.high = [Math.max(box.high[0], x), Math.max(box.high[1], y), Math.max(box.high[2], z)];
  }
  return box;
}

function recordOf({ shape, isHigh }: Kind, parts: readonly (readonly Position[])[]): ShapeRecord {
  const points = parts.flat();
  const box = boxOf(points);
  if (shape === 11) return pointOf(shape, box);
  const hasParts = shape !== 8 && shape !== 18;
  const partBytes = hasParts ? 4 + 4 * parts.length : 0;
  const altitudes = isHigh ? [box.low[2], box.high[2], ...points.map(([, , z = 0]) => z)] : [];
  const content = Buffer.alloc(36 + partBytes + 4 + 16 * points.length + 8 * altitudes.length);
  content.writeInt32LE(shape, 0);
  extentOf(box).forEach((value, at) => content.writeDoubleLE(value, 4 + 8 * at));
  let at = 36;
  if (hasParts) at = content.writeInt32LE(parts.length, at);
  at = content.writeInt32LE(points.length, at);
  let first = 0;
  for (const part of hasParts ? parts : []) {
    at = content.writeInt32LE(first, at);
    first += part.length;
  }
  for (const [x = 0, y = 0] of points) at = content.writeDoubleLE(y, content.writeDoubleLE(x, at));
  for (const altitude of altitudes) at = content.writeDoubleLE(altitude, at);
  return { content, box };
}

/** A point with its altitude, whose own box is no longer than itself. */
function pointOf(shape: number, box: Box): ShapeRecord {
  const content = Buffer.alloc(36);
  content.writeInt32LE(shape, 0);
  [...box.low, noMeasure].forEach((value, at) => content.writeDoubleLE(value, 4 + 8 * at));
  return { content, box };
}

function extentOf({ low: [west, south], high: [east, north] }: Box): number[] {
  return [west, south, east, north];
}

function headOf(shape: number, records: readonly ShapeRecord[], bytes: number): Buffer {
  const head = Buffer.alloc(100);
  const box = boxOf(records.flatMap(({ box: { low, high } }) => [low, high]));
  head.writeInt32BE(9994, 0);
  head.writeInt32BE(bytes / 2, 24);
  head.writeInt32LE(1000, 28);
  head.writeInt32LE(shape, 32);
  [...extentOf(box), box.low[2], box.high[2]].forEach((value, at) => head.writeDoubleLE(value, 36 + 8 * at));
  return head;
}

function shpOf(shape: number, records: readonly ShapeRecord[]): Buffer {
  const parts = records.flatMap(({ content }, index) => {
    const header = Buffer.alloc(8);
    header.writeInt32BE(index + 1, 0);
    header.writeInt32BE(content.length / 2, 4);
    return [header, content];
  });
  const bytes = 100 + parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([headOf(shape, records, bytes), ...parts]);
}

function shxOf(shape: number, records: readonly ShapeRecord[]): Buffer {
  const index = Buffer.alloc(8 * records.length);
  let at = 100;
  for (const [number, { content }] of records.entries()) {
    index.writeInt32BE(at / 2, 8 * number);
    index.writeInt32BE(content.length / 2, 8 * number + 4);
    at += 8 + content.length;
  }
  return Buffer.concat([headOf(shape, records, 100 + index.length), index]);
}
