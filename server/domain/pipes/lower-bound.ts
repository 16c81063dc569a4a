import { footOn } from './obstacle.ts';
import type { Metric, Point } from './plane.ts';
import { completeSpanningTree, lengthOf } from './spanning.ts';

interface Given {
  /** How many of the points, from the first on, are sources. */
  sources: number;
  /** Existing pipes. */
  existing: readonly (readonly Point[])[];
}

/**
 * A lower bound for any tree that joins the points, obstacles or not: the Steiner ratio times the minimum spanning
 * tree, exact for two and three points; along two directions also half the perimeter of all points. Existing pipes and
 * multiple sources count as one point, and the ratio is then that of any metric: 1/2 (Gilbert & Pollak, Steiner minimal
 * trees, SIAM J. Appl. Math. 16, 1968).
 */
export function lowerBound(
  metric: Metric,
  points: readonly Point[],
  given: Given = { sources: 1, existing: [] },
): number {
  const [a, b, c] = points;
  if (a === undefined || b === undefined) return 0;
  if (given.sources > 1 || given.existing.length > 0) return boundFromNetwork(metric, points, given);
  if (points.length === 2) return metric.distance(a, b);
  if (points.length === 3 && c !== undefined) {
    const meeting = metric.meeting(a, b, c);
    return [a, b, c].reduce((sum, point) => sum + metric.distance(point, meeting), 0);
  }
  const tree = completeSpanningTree(points.length, (one, other) =>
    metric.distance(points[one] ?? a, points[other] ?? a),
  );
  return Math.max(metric.steinerRatio * lengthOf(tree), boxBound(metric, points));
}

function boundFromNetwork(metric: Metric, points: readonly Point[], { sources, existing }: Given): number {
  const others = points.slice(sources);
  const networks = [...points.slice(0, sources).map((point) => [point]), ...existing];
  const away = others.map((point) => Math.min(...networks.map((line) => distanceTo(line, point))));
  // Place 0 is everything that counts as one.
  const tree = completeSpanningTree(others.length + 1, (one, other) => {
    if (one === 0 || other === 0) return away[Math.max(one, other) - 1] ?? 0;
    const [from, to] = [others[one - 1], others[other - 1]];
    const direct = from && to ? metric.distance(from, to) : Infinity;
    return Math.min(direct, (away[one - 1] ?? 0) + (away[other - 1] ?? 0));
  });
  return lengthOf(tree) / 2;
}

/** Straight to the nearest point of a line, which no way undercuts. */
function distanceTo(line: readonly Point[], point: Point): number {
  return line.reduce((least, to, at) => {
    const foot = footOn(point, line[at - 1] ?? to, to);
    return Math.min(least, Math.hypot(foot.x - point.x, foot.y - point.y));
  }, Infinity);
}

function boxBound(metric: Metric, points: readonly Point[]): number {
  const extent = (pick: (point: Point) => number): number => {
    const values = points.map(pick);
    return (
      values.reduce((high, value) => Math.max(high, value), -Infinity) -
      values.reduce((low, value) => Math.min(low, value), Infinity)
    );
  };
  const [width, height] = [extent(({ x }) => x), extent(({ y }) => y)];
  return metric.name === 'rectilinear' ? width + height : Math.max(width, height);
}
