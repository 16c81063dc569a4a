/** A place in metres east and north of an origin. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** How length is measured, and what shortest pipes look like. */
export interface Metric {
  name: 'euclidean' | 'rectilinear';
  distance: (a: Point, b: Point) => number;
  /** Shortest pipes from `a` to `b` to try, by their corners, both ends included. */
  ways: (a: Point, b: Point) => (readonly Point[])[];
  /** Where pipes to three points meet with the least length. */
  meeting: (a: Point, b: Point, c: Point) => Point;
  /** Lower bound of the shortest Steiner tree, as a share of the minimum spanning tree. */
  steinerRatio: number;
}

export const euclidean: Metric = {
  name: 'euclidean',
  distance: (a, b) => Math.hypot(a.x - b.x, a.y - b.y),
  ways: (a, b) => [[a, b]],
  meeting: fermatPoint,
  // Chung & Graham, A new bound for Euclidean Steiner minimal trees, Ann. N.Y. Acad. Sci. 440 (1985): 0.82416874.
  steinerRatio: 0.824168,
};

/** Pipes run only along two directions. */
export const rectilinear: Metric = {
  name: 'rectilinear',
  distance: (a, b) => Math.abs(a.x - b.x) + Math.abs(a.y - b.y),
  ways: (a, b) => {
    if (a.x === b.x || a.y === b.y) return [[a, b]];
    return [
      [a, { x: b.x, y: a.y }, b],
      [a, { x: a.x, y: b.y }, b],
    ];
  },
  meeting: (a, b, c) => ({ x: middleOf(a.x, b.x, c.x), y: middleOf(a.y, b.y, c.y) }),
  // Hwang, On Steiner minimal trees with rectilinear distance, SIAM J. Appl. Math. 30 (1976).
  steinerRatio: 2 / 3,
};

/** Turns about the origin by `angle_rad`, counter-clockwise. */
export function turned({ x, y }: Point, angle_rad: number): Point {
  const [sin, cos] = [Math.sin(angle_rad), Math.cos(angle_rad)];
  return { x: x * cos - y * sin, y: x * sin + y * cos };
}

function middleOf(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

/**
 * The point with the least sum of distances to three (Torricelli): barycentric weights side / sin(angle + 60 deg). It
 * is the corner itself if the triangle has an angle of 120 degrees or more, or no area.
 */
function fermatPoint(a: Point, b: Point, c: Point): Point {
  const corners = [a, b, c] as const;
  const sides = [euclidean.distance(b, c), euclidean.distance(c, a), euclidean.distance(a, b)] as const;
  for (const [index, corner] of corners.entries()) {
    const [to, from] = [corners[(index + 1) % 3] ?? a, corners[(index + 2) % 3] ?? a];
    const along = (to.x - corner.x) * (from.x - corner.x) + (to.y - corner.y) * (from.y - corner.y);
    const legs = euclidean.distance(corner, to) * euclidean.distance(corner, from);
    if (along <= -0.5 * legs + 1e-12 * legs) return corner;
  }
  const twiceArea = Math.abs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));
  const weights = sides.map((side, index) => {
    const [u, v] = [sides[(index + 1) % 3] ?? 0, sides[(index + 2) % 3] ?? 0];
    // side / sin(A + 60) with sin A = 2 area / (u v) and cos A by the law of cosines.
    const sine = twiceArea / (u * v);
    const cosine = (u * u + v * v - side * side) / (2 * u * v);
    return side / (sine / 2 + (cosine * Math.sqrt(3)) / 2);
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const mean = (pick: (point: Point) => number): number =>
    corners.reduce((total, corner, index) => total + ((weights[index] ?? 0) / sum) * pick(corner), 0);
  return { x: mean(({ x }) => x), y: mean(({ y }) => y) };
}
