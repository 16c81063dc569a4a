/** Longitude and latitude in degrees, as GeoJSON orders them. */
export type Position = readonly [lng: number, lat: number, ...rest: number[]];

type Point = readonly [east_m: number, north_m: number];

const degree_m = 111_195;

/**
 * Direction of the longer side of the smallest rectangle around a shape, degrees clockwise from north, 0 to below 180.
 * The smallest rectangle lies along an edge of the convex hull (Freeman & Shapira 1975). Null for fewer than three
 * positions that span an area. Positions of all outer rings together.
 */
export function longAxis_deg(positions: readonly Position[]): number | null {
  const hull = convexHull(projected(positions));
  if (hull.length < 3) return null;
  let best: { area: number; along_deg: number } | null = null;
  for (const [index, from] of hull.entries()) {
    const to = hull[(index + 1) % hull.length] ?? from;
    const box = extentAlong(hull, to[0] - from[0], to[1] - from[1]);
    if (best === null || box.area < best.area * (1 - 1e-9)) best = box;
  }
  return best === null ? null : ((best.along_deg % 180) + 180) % 180;
}

/** Metres about the first position: true to a few parts in a thousand over the size of a farm. */
function projected(positions: readonly Position[]): Point[] {
  const origin = positions[0];
  if (origin === undefined) return [];
  const shrink = Math.cos((origin[1] * Math.PI) / 180);
  return positions.map(([lng, lat]) => [(lng - origin[0]) * degree_m * shrink, (lat - origin[1]) * degree_m]);
}

/** Monotone chain (Andrew 1979), counter-clockwise, collinear points left out. */
function convexHull(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const lower = chain(sorted);
  const upper = chain(sorted.reverse());
  return [...lower.slice(0, -1), ...upper.slice(0, -1)];
}

function chain(points: readonly Point[]): Point[] {
  const kept: Point[] = [];
  for (const point of points) {
    while (kept.length >= 2 && turn(kept.at(-2), kept.at(-1), point) <= 0) kept.pop();
    kept.push(point);
  }
  return kept;
}

function turn(a: Point | undefined, b: Point | undefined, c: Point): number {
  if (a === undefined || b === undefined) return 0;
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** Area of the rectangle around the hull along (east, north), and the compass direction of its longer side. */
function extentAlong(hull: readonly Point[], east: number, north: number): { area: number; along_deg: number } {
  const length = Math.hypot(east, north);
  const along = hull.map(([x, y]) => (x * east + y * north) / length);
  const across = hull.map(([x, y]) => (y * east - x * north) / length);
  const long_m = Math.max(...along) - Math.min(...along);
  const wide_m = Math.max(...across) - Math.min(...across);
  const bearing_deg = (Math.atan2(east, north) * 180) / Math.PI;
  return { area: long_m * wide_m, along_deg: long_m >= wide_m ? bearing_deg : bearing_deg + 90 };
}
