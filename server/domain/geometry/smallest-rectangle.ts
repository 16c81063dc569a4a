import type { Geometry } from '../../contract/overlay.ts';
import { polygonsOf } from './polygons.ts';

export interface Rectangle {
  /** Longer side, m. */
  length_m: number;
  /** Shorter side, m. */
  width_m: number;
  /** Direction of the longer side, degrees clockwise from north, 0 to below 180. */
  axis_deg: number;
}

type Point = readonly [east_m: number, north_m: number];

/** Metres to a degree of latitude on a sphere of 6,371 km. */
const degree_m = 111_195;

/**
 * The smallest rectangle around all outer rings of a (Multi)Polygon; it is aligned with an edge of the convex hull
 * (Freeman & Shapira 1975). null for another geometry and for one without area. Accurate to a few parts in a thousand
 * over a farm.
 */
export function smallestRectangle(geometry: Geometry): Rectangle | null {
  const hull = convexHull(projected(polygonsOf(geometry).flatMap((rings) => rings[0] ?? [])));
  if (hull.length < 3) return null;
  let best: Rectangle | null = null;
  for (const [index, from] of hull.entries()) {
    const to = hull[(index + 1) % hull.length] ?? from;
    const box = boxAlong(hull, to[0] - from[0], to[1] - from[1]);
    if (best === null || box.length_m * box.width_m < best.length_m * best.width_m * (1 - 1e-9)) best = box;
  }
  return best;
}

/**
 * Where the front of a house along a rectangle looks, to a tenth of a degree. An axis has two ends: a known front stays
 * at the nearer one, as openings are told by their side of it.
 */
export function frontAlong({ axis_deg }: Rectangle, known_deg: number | null): number {
  const isTurned = known_deg !== null && Math.cos(((known_deg - axis_deg) * Math.PI) / 180) < 0;
  return (Math.round((axis_deg + (isTurned ? 180 : 0)) * 10) / 10) % 360;
}

function projected(positions: readonly (readonly number[])[]): Point[] {
  const [lng0 = 0, lat0 = 0] = positions[0] ?? [];
  const shrink = Math.cos((lat0 * Math.PI) / 180);
  return positions.map(([lng = 0, lat = 0]) => [(lng - lng0) * degree_m * shrink, (lat - lat0) * degree_m]);
}

/** Monotone chain (Andrew 1979), counter-clockwise, collinear points left out. */
function convexHull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return [...chain(sorted).slice(0, -1), ...chain(sorted.toReversed()).slice(0, -1)];
}

function chain(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of points) {
    while (!turnsLeft(kept.at(-2), kept.at(-1), point)) kept.pop();
    kept.push(point);
  }
  return kept;
}

function turnsLeft(a: Point | undefined, b: Point | undefined, c: Point): boolean {
  if (a === undefined || b === undefined) return true;
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 1e-9;
}

function boxAlong(hull: readonly Point[], east: number, north: number): Rectangle {
  const unit = Math.hypot(east, north);
  const along_m = extent(hull.map(([x, y]) => (x * east + y * north) / unit));
  const across_m = extent(hull.map(([x, y]) => (y * east - x * north) / unit));
  const bearing_deg = (Math.atan2(east, north) * 180) / Math.PI + (along_m >= across_m ? 0 : 90);
  return {
    length_m: Math.max(along_m, across_m),
    width_m: Math.min(along_m, across_m),
    axis_deg: ((bearing_deg % 180) + 180) % 180,
  };
}

function extent(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}
