import type { FeatureType, Geometry } from '../../contract/overlay.ts';
import type { Said } from '../../contract/refusal-reason.ts';
import { findCrossing, isFlat, placeInRing, type EdgeStart, type Position, type Ring } from './ring-crossing.ts';

/** `kind`: another geometry than the feature may have; `form`: no GeoJSON; `range`: off the earth. */
export type GeometryFaultKind = 'kind' | 'form' | 'range' | 'length' | 'area' | 'crossing' | 'hole';

export interface GeometryFault {
  /** E.g. `geometry.coordinates[0][2]`: the ring, then the position. */
  path: string;
  kind: GeometryFaultKind;
  message: string;
}

/** Degrees. */
interface Bounds {
  west: number;
  south: number;
  east: number;
  north: number;
}

export interface CheckedGeometry {
  geometry: Geometry;
  bounds: Bounds;
}

type Check = (sent: unknown, path: string) => void;

class FaultError extends Error {
  readonly code = 'invalid_geometry';
  readonly fault: GeometryFault;

  constructor(path: string, kind: GeometryFaultKind, message: string) {
    super(`${path} ${message}`);
    this.fault = { path, kind, message };
  }
}

/** A closed ring of 3 corners. */
const ringPositions = 4;

const checks: Record<Geometry['type'], Check> = {
  Point: checkPosition,
  MultiPoint: (sent, path) => {
    readPositions(sent, path, 1);
  },
  LineString: checkLine,
  MultiLineString: (sent, path) => {
    for (const [index, line] of readList(sent, path, 1).entries()) checkLine(line, `${path}[${index}]`);
  },
  Polygon: (sent, path) => {
    checkPolygons([sent], () => path);
  },
  MultiPolygon: (sent, path) => {
    checkPolygons(readList(sent, path, 1), (polygon) => `${path}[${polygon}]`);
  },
};

const areal = ['Polygon', 'MultiPolygon'] as const;
/** The forms that features of some types must have; those of all others may have any. */
const formsOf: Partial<Record<FeatureType, readonly Geometry['type'][]>> = {
  site: areal,
  zone: areal,
  device: ['Point'],
};

/** Whether a feature of this type may have a geometry of this form. */
export function mayHaveForm(type: FeatureType, geometry: Geometry): boolean {
  return formsOf[type]?.includes(geometry.type) ?? true;
}

/**
 * Checks a geometry as it was sent: type, finite positions in range, closed rings of 4 positions or more that enclose
 * an area and do not cross, holes inside, lines with a length, and what the feature type requires. Returns the geometry
 * without foreign members and its bounds, or the first fault.
 */
export function checkGeometry(
  sent: { type: string; coordinates: unknown },
  type: FeatureType,
): CheckedGeometry | GeometryFault {
  try {
    const geometry = readGeometry(sent);
    if (!mayHaveForm(type, geometry))
      throw new FaultError('geometry.type', 'kind', `must be ${formsOf[type]?.join(' or ')} for a ${type}`);
    return { geometry, bounds: boundsOf(geometry) };
  } catch (error) {
    if (error instanceof FaultError) return error.fault;
    throw error;
  }
}

/** For a refusal. */
export function geometrySaid({ kind, message }: GeometryFault): Said {
  return { message, why: `geometry_${kind}` };
}

export function isFault(checked: CheckedGeometry | GeometryFault): checked is GeometryFault {
  return 'message' in checked;
}

/** Whether the geometry covers an area, so that a facility can stand on it. */
export function isAreal(geometry: { type: string }): boolean {
  return geometry.type === 'Polygon' || geometry.type === 'MultiPolygon';
}

/** Number of positions, counted no further than `limit`. */
export function countPositions(coordinates: unknown, limit: number): number {
  if (!Array.isArray(coordinates)) return 0;
  if (!Array.isArray(coordinates[0])) return 1;
  let count = 0;
  for (const part of coordinates) {
    count += countPositions(part, limit - count);
    if (count >= limit) return limit;
  }
  return count;
}

function readGeometry(sent: { type: string; coordinates: unknown }): Geometry {
  if (!isGeometryType(sent.type)) {
    throw new FaultError('geometry.type', 'kind', `must be one of ${Object.keys(checks).join(', ')}`);
  }
  checks[sent.type](sent.coordinates, 'geometry.coordinates');
  // The check of this type has just examined every position.
  return { type: sent.type, coordinates: sent.coordinates } as Geometry;
}

function isGeometryType(type: string): type is Geometry['type'] {
  return Object.hasOwn(checks, type);
}

function readList(sent: unknown, path: string, least: number): unknown[] {
  if (!Array.isArray(sent)) throw new FaultError(path, 'form', 'must be a list');
  if (sent.length < least) throw new FaultError(path, 'form', `must have ${least} or more, not ${sent.length}`);
  return sent;
}

function checkPosition(sent: unknown, path: string): asserts sent is Position {
  const numbers = readList(sent, path, 2);
  if (numbers.length > 3) throw new FaultError(path, 'form', 'must be longitude, latitude and at most an altitude');
  if (!numbers.every(Number.isFinite)) throw new FaultError(path, 'form', 'must hold finite numbers');
  const [lng, lat] = numbers;
  if (Math.abs(Number(lng)) > 180) throw new FaultError(path, 'range', 'has a longitude outside -180 to 180');
  if (Math.abs(Number(lat)) > 90) throw new FaultError(path, 'range', 'has a latitude outside -90 to 90');
}

function readPositions(sent: unknown, path: string, least: number): Position[] {
  const list = readList(sent, path, least);
  return list.map((position, index) => {
    checkPosition(position, `${path}[${index}]`);
    return position;
  });
}

function checkLine(sent: unknown, path: string): void {
  const positions = readPositions(sent, path, 2);
  const [first] = positions;
  if (positions.every((position) => isSame(position, first))) throw new FaultError(path, 'length', 'has no length');
}

function checkPolygons(sent: unknown[], pathOf: (polygon: number) => string): void {
  const rings = sent.flatMap((polygon, index) =>
    readList(polygon, pathOf(index), 1).map((ring, place): Ring => {
      return { polygon: index, ring: place, positions: readRing(ring, `${pathOf(index)}[${place}]`) };
    }),
  );
  const crossing = findCrossing(rings);
  if (crossing !== undefined) throw crossingFault(crossing, pathOf);
  for (const polygon of Map.groupBy(rings, (ring) => ring.polygon).values()) checkHoles(polygon, pathOf);
}

function readRing(sent: unknown, path: string): Position[] {
  const positions = readPositions(sent, path, ringPositions);
  if (!isSame(positions.at(-1), positions[0])) {
    throw new FaultError(`${path}[${positions.length - 1}]`, 'form', 'must equal the first position: a ring is closed');
  }
  if (isFlat(positions)) throw new FaultError(path, 'area', 'encloses no area');
  return positions;
}

function crossingFault([one, two]: [EdgeStart, EdgeStart], pathOf: (polygon: number) => string): FaultError {
  const at = ({ polygon, ring, position }: EdgeStart): string => `${pathOf(polygon)}[${ring}][${position}]`;
  return new FaultError(
    at(two),
    'crossing',
    `starts an edge that meets the edge from ${at(one)}: a ring must not cross`,
  );
}

/** As the rings do not cross, one corner off the outer ring shows where the whole hole is. */
function checkHoles([outer, ...holes]: Ring[], pathOf: (polygon: number) => string): void {
  if (outer === undefined) return;
  for (const { polygon, ring, positions } of holes) {
    const deciding = positions.find((position) => placeInRing(position, outer.positions) !== 'edge');
    if (deciding !== undefined && placeInRing(deciding, outer.positions) === 'outside') {
      throw new FaultError(`${pathOf(polygon)}[${ring}]`, 'hole', 'is a hole outside the outer ring');
    }
  }
}

function isSame(one: Position | undefined, other: Position | undefined): boolean {
  return one?.[0] === other?.[0] && one?.[1] === other?.[1];
}

function boundsOf(geometry: Geometry): Bounds {
  const bounds: Bounds = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  const depth = nesting[geometry.type];
  const positions = depth === 0 ? [geometry.coordinates] : geometry.coordinates.flat(depth - 1);
  // Flattened by one level less than the nesting, the rest are positions.
  for (const [lng = NaN, lat = NaN] of positions as number[][]) {
    bounds.west = Math.min(bounds.west, lng);
    bounds.east = Math.max(bounds.east, lng);
    bounds.south = Math.min(bounds.south, lat);
    bounds.north = Math.max(bounds.north, lat);
  }
  return bounds;
}

/** Nesting of lists around a position. */
const nesting: Record<Geometry['type'], number> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
};
