import type { Geometry } from '../../../server/contract/overlay.ts';

/** The smallest rectangle around a drawn outline. */
export interface ShapeBox {
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
 * The smallest rectangle around all outer rings of a (Multi)Polygon; it lies along an edge of the convex hull (Freeman &
 * Shapira 1975). Null for another geometry and for one without area. True to a few parts in a thousand over a farm.
 */
export function shapeBox(geometry: Geometry): ShapeBox | null {
  const hull = convexHull(projected(outerPositions(geometry)));
  if (hull.length < 3) return null;
  let best: ShapeBox | null = null;
  for (const [index, from] of hull.entries()) {
    const to = hull[(index + 1) % hull.length] ?? from;
    const box = boxAlong(hull, to[0] - from[0], to[1] - from[1]);
    if (best === null || box.length_m * box.width_m < best.length_m * best.width_m * (1 - 1e-9)) best = box;
  }
  return best;
}

function outerPositions(geometry: Geometry): number[][] {
  if (geometry.type === 'Polygon') return geometry.coordinates[0] ?? [];
  if (geometry.type === 'MultiPolygon') return geometry.coordinates.flatMap((polygon) => polygon[0] ?? []);
  return [];
}

function projected(positions: readonly number[][]): Point[] {
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

function boxAlong(hull: readonly Point[], east: number, north: number): ShapeBox {
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

/** Widths that bays are built in, m: a drawn width is shared out into bays of about this. */
const usualBay_m = 8;
/** Up to here a house is taken as one bay. */
const widestSingleBay_m = 12;

/** Bays that fill a drawn width: their number and the width of each, to a decimetre, and the length. */
export function suggestBays(box: ShapeBox): { bay_count: number; bay_width_m: number; length_m: number } {
  const bay_count = box.width_m <= widestSingleBay_m ? 1 : Math.min(200, Math.round(box.width_m / usualBay_m));
  return {
    bay_count,
    bay_width_m: toDecimetre(box.width_m / bay_count),
    length_m: toDecimetre(box.length_m),
  };
}

function toDecimetre(metres: number): number {
  return Math.max(0.1, Math.round(metres * 10) / 10);
}
