import Flatbush from 'flatbush';
import FlatQueue from 'flatqueue';
import { WaysAround } from './around.ts';
import { edgeCost, pruned, type Ground, type Net } from './net.ts';
import type { Point } from './plane.ts';
import type { Step } from './step.ts';
import { completeSpanningTree, LinkForest, type Edge } from './spanning.ts';

/** Nearest places to which each place is tried to be joined. */
const nearest = 10;

/** A tree of clear pipes, or the groups of places without a way between them, by index. */
export type FirstTree = { net: Net } | { apart: readonly number[][] };

interface Joint {
  edge: Edge;
  /** Around the obstacles; absent until it is searched. */
  way?: readonly Point[];
}

/**
 * The spanning tree of places by the ways around obstacles (Kruskal 1956): pairs are taken by distance, which no way
 * can undercut; the way is searched only when a pair would be joined, and the pair then waits for its turn by that
 * length.
 */
export function firstTree(ground: Ground, terminals: readonly Point[], step: Step): FirstTree {
  const { metric } = ground;
  const points = [...terminals, ...(ground.lines?.nodes ?? [])];
  const joints = [...linksOf(ground, points), ...pairsOf(ground, points, step).map((edge): Joint => ({ edge }))];
  const queue = new FlatQueue<Joint>();
  for (const joint of joints) queue.push(joint, joint.edge.length);
  const forest = new LinkForest(points.length);
  const around = new WaysAround(ground);
  const ways: (readonly Point[])[] = [];
  for (let joint = queue.pop(); joint !== undefined; joint = queue.pop()) {
    const { edge, way } = joint;
    const [from, to] = [points[edge.a], points[edge.b]];
    if (from === undefined || to === undefined || forest.rootOf(edge.a) === forest.rootOf(edge.b)) continue;
    if (way !== undefined) {
      forest.link(edge.a, edge.b);
      step(0.5);
      ways.push(way);
      continue;
    }
    step();
    const found = around.find(from, to);
    if (found !== undefined) queue.push({ edge, way: found }, wayLength(metric.distance, found));
  }
  const groups = [...Map.groupBy(terminals.keys(), (place) => forest.rootOf(place)).values()];
  return groups.length > 1 ? { apart: groups } : { net: pruned(ground, netOf(ground, terminals, ways)) };
}

/** Along lines no way needs to be searched. */
function linksOf(ground: Ground, points: readonly Point[]): Joint[] {
  const places = new Map(points.map((point, place) => [keyOf(point), place]));
  return (ground.lines?.links ?? []).flatMap(([from, to]): Joint[] => {
    const [a, b] = [places.get(keyOf(from)), places.get(keyOf(to))];
    if (a === undefined || b === undefined) return [];
    return [{ edge: { a, b, length: edgeCost(ground, from, to) }, way: [from, to] }];
  });
}

/** Each place with its nearest ones, and what joins them all. */
function pairsOf({ metric }: Ground, points: readonly Point[], step: Step): Edge[] {
  const distance = (a: number, b: number): number => {
    const [from, to] = [points[a], points[b]];
    return from === undefined || to === undefined ? Infinity : metric.distance(from, to);
  };
  const index = new Flatbush(Math.max(1, points.length));
  for (const { x, y } of points) index.add(x, y);
  index.finish();
  const near = points.flatMap(({ x, y }, a) =>
    index.neighbors(x, y, nearest + 1).flatMap((b) => (a < b ? [{ a, b, length: distance(a, b) }] : [])),
  );
  return [...near, ...completeSpanningTree(points.length, distance, () => step())];
}

/** The net of some ways; shared bends become one place. */
export function netOf(ground: Ground, terminals: readonly Point[], ways: readonly (readonly Point[])[]): Net {
  const points = [...terminals];
  const places = new Map(terminals.map((point, place) => [keyOf(point), place]));
  const placeOf = (point: Point): number => {
    const known = places.get(keyOf(point));
    if (known !== undefined) return known;
    places.set(keyOf(point), points.length);
    return points.push(point) - 1;
  };
  const edges = ways.flatMap((way) =>
    way.slice(1).map((to, at): Edge => {
      const from = way[at] ?? to;
      return { a: placeOf(from), b: placeOf(to), length: edgeCost(ground, from, to) };
    }),
  );
  return { points, fixed: terminals.length, edges };
}

function keyOf({ x, y }: Point): string {
  return `${x} ${y}`;
}

function wayLength(distance: (a: Point, b: Point) => number, way: readonly Point[]): number {
  return way.reduce((sum, point, at) => sum + (at === 0 ? 0 : distance(way[at - 1] ?? point, point)), 0);
}
