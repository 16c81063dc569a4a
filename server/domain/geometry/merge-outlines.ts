import { areaD, ClipperD, ClipType, EndType, FillRule, inflatePathsD, JoinType } from 'clipper2-ts';
import type { Geometry } from '../../contract/overlay.ts';
import { polygonsOf } from './polygons.ts';

type Path = { x: number; y: number }[];

/** Outlines this close are neighbours, m: a border is drawn once for each side, and not identical to the centimetre. */
const gap_m = 0.1;
/** Decimals of a metre in the plane. */
const precision = 4;
/** Corners that would grow beyond this many times half the gap are cut off. */
const miterLimit = 20;
/**
 * A degree of latitude on a sphere of the mean radius, m; one of longitude is shorter by the cosine of the latitude.
 */
const degree_m = 111_195;
/** Smaller holes are what rounding leaves between two borders. */
const leastHole_m2 = 0.5;

/** Joins adjacent areas into one, in degrees to eight decimals; null when they are not adjacent. */
export function mergedOutline(geometries: readonly Geometry[]): Geometry | null {
  const polygons = geometries.flatMap(polygonsOf);
  const [lng0 = 0, lat0 = 0] = polygons[0]?.[0]?.[0] ?? [];
  const scale = { x: degree_m * Math.cos((lat0 * Math.PI) / 180), y: degree_m };
  const inPlane = (ring: readonly (readonly number[])[]): Path =>
    ring.slice(0, -1).map(([lng = 0, lat = 0]) => ({ x: (lng - lng0) * scale.x, y: (lat - lat0) * scale.y }));
  const grown = polygons.flatMap((rings) =>
    offset(
      rings.map((ring, at) => turned(inPlane(ring), at === 0)),
      gap_m / 2,
    ),
  );
  const merged = offset(united(grown), -gap_m / 2);
  const outlines = merged.filter((path) => areaD(path) > 0);
  if (outlines.length !== 1) return null;
  const holes = merged.filter((path) => areaD(path) < -leastHole_m2);
  const degrees = (value: number): number => Number(value.toFixed(8));
  const ringOf = (path: Path): number[][] => {
    const ring = path.map(({ x, y }) => [degrees(lng0 + x / scale.x), degrees(lat0 + y / scale.y)]);
    return [...ring, ...ring.slice(0, 1)];
  };
  return { type: 'Polygon', coordinates: [...outlines, ...holes].map(ringOf) };
}

/** Outer rings counter-clockwise, holes clockwise: growing one shrinks the other. */
function turned(path: Path, isOuter: boolean): Path {
  return areaD(path) > 0 === isOuter ? path : path.toReversed();
}

function offset(paths: readonly Path[], delta_m: number): Path[] {
  const rings = paths.map((path) => path.map(({ x, y }) => ({ x, y })));
  return inflatePathsD(rings, delta_m, JoinType.Miter, EndType.Polygon, miterLimit, precision);
}

function united(paths: Path[]): Path[] {
  const clipper = new ClipperD(precision);
  clipper.addSubjectPaths(paths);
  const result: Path[] = [];
  clipper.execute(ClipType.Union, FillRule.NonZero, result);
  return result;
}
