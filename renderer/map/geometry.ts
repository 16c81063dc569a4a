import type { Geometry } from '../../server/contract/overlay.ts';

/** [longitude, latitude, altitude?] in degrees and m. */
export type Position = number[];

/** Vertices that can be edited: of a ring without its closing repeat, of a line, or the one of a point. */
export interface Path {
  positions: Position[];
  isClosed: boolean;
  /** 0 for the outline of a part, then its holes. */
  ring: number;
  part: number;
}

/** The editable paths of a geometry, in its own order. */
export function pathsOf(geometry: Geometry): Path[] {
  switch (geometry.type) {
    case 'Point':
      return [open([geometry.coordinates], 0)];
    case 'MultiPoint':
      return geometry.coordinates.map((position, part) => open([position], part));
    case 'LineString':
      return [open(geometry.coordinates, 0)];
    case 'MultiLineString':
      return geometry.coordinates.map(open);
    case 'Polygon':
      return geometry.coordinates.map((ring, index) => closed(ring, index, 0));
    case 'MultiPolygon':
      return geometry.coordinates.flatMap((part, at) => part.map((ring, index) => closed(ring, index, at)));
  }
}

/** The geometry with one path's vertices replaced; `index` counts as pathsOf does. */
export function withPath(geometry: Geometry, index: number, positions: Position[]): Geometry {
  const put = <T>(list: T[], value: T): T[] => list.map((one, at) => (at === index ? value : one));
  const first = positions[0] ?? [];
  const ring = [...positions, first];
  switch (geometry.type) {
    case 'Point':
      return { ...geometry, coordinates: first };
    case 'MultiPoint':
      return { ...geometry, coordinates: put(geometry.coordinates, first) };
    case 'LineString':
      return { ...geometry, coordinates: positions };
    case 'MultiLineString':
      return { ...geometry, coordinates: put(geometry.coordinates, positions) };
    case 'Polygon':
      return { ...geometry, coordinates: put(geometry.coordinates, ring) };
    case 'MultiPolygon': {
      let at = -1;
      const parts = geometry.coordinates.map((part) => part.map((one) => ((at += 1) === index ? ring : one)));
      return { ...geometry, coordinates: parts };
    }
  }
}

/**
 * The geometry without one hole, or one part with its holes; null where that is all of it. `index` counts as pathsOf
 * does.
 */
export function withoutPath(geometry: Geometry, index: number): Geometry | null {
  const { part = 0, ring = 0 } = pathsOf(geometry)[index] ?? {};
  const without = <T>(list: T[], at: number): T[] => list.toSpliced(at, 1);
  if (geometry.type === 'Polygon')
    return ring === 0 ? null : { ...geometry, coordinates: without(geometry.coordinates, ring) };
  if (geometry.type === 'MultiPolygon' && ring > 0) {
    const coordinates = geometry.coordinates.map((rings, at) => (at === part ? without(rings, ring) : rings));
    return { ...geometry, coordinates };
  }
  if (!geometry.type.startsWith('Multi') || geometry.coordinates.length === 1) return null;
  return { ...geometry, coordinates: without<unknown>(geometry.coordinates, part) } as Geometry; // nested as before
}

/** The vertex at the other end of the side that begins at one; undefined where a line ends there. */
export function nextVertex({ positions, isClosed }: Path, at: number): Position | undefined {
  return positions[at + 1] ?? (isClosed ? positions[0] : undefined);
}

/** Least number of vertices that a path of this kind can have. */
export function leastVertices(path: Path): number {
  if (path.isClosed) return 3;
  return path.positions.length === 1 ? 1 : 2;
}

/** True where two sides of a closed path cross or touch, other than neighbours in their shared vertex. O(n^2). */
export function crossesItself(positions: readonly Position[]): boolean {
  const count = positions.length;
  const at = (index: number): Position => positions[index % count] ?? [];
  for (let i = 0; i < count; i += 1) {
    for (let j = i + 2; j < count; j += 1) {
      if (i === 0 && j === count - 1) continue;
      if (meet(at(i), at(i + 1), at(j), at(j + 1))) return true;
    }
  }
  return false;
}

/** Half way between two positions, in altitude too where both have one. */
export function middle([ax = 0, ay = 0, ...az]: Position, [bx = 0, by = 0, ...bz]: Position): Position {
  const [a, b] = [az[0], bz[0]];
  return [(ax + bx) / 2, (ay + by) / 2, ...(a === undefined || b === undefined ? [] : [(a + b) / 2])];
}

export function isValidPosition([longitude = NaN, latitude = NaN]: Position): boolean {
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90;
}

function open(positions: Position[], part: number): Path {
  return { positions, isClosed: false, ring: 0, part };
}

function closed(ring: Position[], index: number, part: number): Path {
  return { positions: ring.slice(0, -1), isClosed: true, ring: index, part };
}

/** Twice the signed area of the triangle: the sign is the side of line ab on which c lies. */
function side([ax = 0, ay = 0]: Position, [bx = 0, by = 0]: Position, [cx = 0, cy = 0]: Position): number {
  return Math.sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax));
}

function isBetween([ax = 0, ay = 0]: Position, [bx = 0, by = 0]: Position, [cx = 0, cy = 0]: Position): boolean {
  return cx >= Math.min(ax, bx) && cx <= Math.max(ax, bx) && cy >= Math.min(ay, by) && cy <= Math.max(ay, by);
}

/**
 * Whether segments ab and cd share a point (orientation test, e.g. Cormen et al., Introduction to Algorithms, 33.1).
 */
function meet(a: Position, b: Position, c: Position, d: Position): boolean {
  const [abc, abd, cda, cdb] = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)];
  if (abc !== abd && cda !== cdb && abc * abd <= 0 && cda * cdb <= 0) return true;
  return (
    (abc === 0 && isBetween(a, b, c)) ||
    (abd === 0 && isBetween(a, b, d)) ||
    (cda === 0 && isBetween(c, d, a)) ||
    (cdb === 0 && isBetween(c, d, b))
  );
}
