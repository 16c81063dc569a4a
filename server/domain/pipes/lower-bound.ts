import type { Metric, Point } from './plane.ts';
import { completeSpanningTree, lengthOf } from './spanning.ts';

/**
 * What no tree that joins the points can be shorter than, obstacles or not: the Steiner ratio of the minimum spanning tree,
 * exact for two and three points; along two directions also half the way around all points.
 */
export function lowerBound(metric: Metric, points: readonly Point[]): number {
  const [a, b, c] = points;
  if (a === undefined || b === undefined) return 0;
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
