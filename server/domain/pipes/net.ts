import type { CheapLines } from './lines.ts';
import type { ObstacleField } from './obstacle.ts';
import type { Metric, Point } from './plane.ts';
import { neighboursOf, spanningForest, type Edge } from './spanning.ts';

/** The ground for pipes: how length is measured, and where none may be. */
export interface Ground {
  metric: Metric;
  field: ObstacleField;
  /** Where pipes cost less. */
  lines?: CheapLines;
}

/** A tree of pipes. The first `fixed` points are served; the others are bends and junctions. */
export interface Net {
  points: readonly Point[];
  fixed: number;
  edges: readonly Edge[];
}

/** An edge with a clear way, or along a line if that is cheaper. */
export function clearEdge(
  ground: Ground,
  points: readonly Point[],
  [a, b]: readonly [number, number],
): Edge | undefined {
  const [from, to] = [points[a], points[b]];
  if (from === undefined || to === undefined) return undefined;
  const { metric, field, lines } = ground;
  const along = lines?.cost(from, to);
  const length = metric.distance(from, to);
  if (along !== undefined && along <= length) return { a, b, length: along };
  return field.clearWay(metric, from, to) === undefined ? undefined : { a, b, length };
}

/** The cost of an edge: its length, or less along a line. */
export function edgeCost({ metric, lines }: Ground, from: Point, to: Point): number {
  return Math.min(metric.distance(from, to), lines?.cost(from, to) ?? Infinity);
}

/** The corners of a clear edge, and the line that it follows. */
export function edgeWay({ metric, field, lines }: Ground, from: Point, to: Point): LaidWay | undefined {
  const along = lines?.cost(from, to);
  if (along !== undefined && along <= metric.distance(from, to)) return lines?.way(from, to);
  const straight = field.clearWay(metric, from, to);
  return straight && { way: straight, line: null };
}

/** A pipe by its corners, and the cheaper line that it follows. */
export interface LaidWay {
  way: readonly Point[];
  line: number | null;
}

/**
 * The spanning tree of the edges without idle bends and junctions: dead ends are removed, and two pipes that meet are
 * replaced by a clear direct one.
 */
export function pruned(ground: Ground, net: Net): Net {
  let edges: readonly Edge[] = spanningForest(net.points.length, net.edges).kept;
  for (;;) {
    const next = withoutIdle(ground, { ...net, edges });
    if (next === undefined) return renumbered({ ...net, edges });
    edges = next;
  }
}

/** One pass over the movable points; undefined when all are needed. */
function withoutIdle(ground: Ground, { points, fixed, edges }: Net): Edge[] | undefined {
  const neighbours = neighboursOf(points.length, edges);
  const gone = new Set<number>();
  const touched = new Set<number>();
  const direct: Edge[] = [];
  for (let place = fixed; place < points.length; place += 1) {
    const around = neighbours[place] ?? [];
    if (around.length === 0 || around.length > 2 || touched.has(place)) continue;
    if (around.some((one) => touched.has(one))) continue;
    const [a, b] = around;
    if (a !== undefined && b !== undefined) {
      const edge = clearEdge(ground, points, [a, b]);
      if (edge === undefined || isDearer(ground, edge, [points[a], points[place], points[b]])) continue;
      direct.push(edge);
    }
    gone.add(place);
    for (const one of [place, ...around]) touched.add(one);
  }
  return gone.size === 0 ? undefined : [...edges.filter(({ a, b }) => !gone.has(a) && !gone.has(b)), ...direct];
}

/** Whether the direct way costs more than the one through a place, which happens only when that follows a line. */
function isDearer(ground: Ground, { length }: Edge, [a, place, b]: readonly (Point | undefined)[]): boolean {
  if (ground.lines === undefined || a === undefined || b === undefined || place === undefined) return false;
  return length > (edgeCost(ground, a, place) + edgeCost(ground, place, b)) * (1 + 1e-9);
}

/** Drops the points without edges. */
export function renumbered({ points, fixed, edges }: Net): Net {
  const used = new Set(edges.flatMap(({ a, b }) => [a, b]));
  const kept = points.map((_, index) => index).filter((index) => index < fixed || used.has(index));
  const place = new Map(kept.map((old, index) => [old, index]));
  return {
    fixed,
    points: kept.flatMap((old) => points[old] ?? []),
    edges: edges.map(({ a, b, length }) => ({ a: place.get(a) ?? a, b: place.get(b) ?? b, length })),
  };
}
