import Flatbush from 'flatbush';
import { clearEdge, pruned, type Ground, type Net } from './net.ts';
import type { Point } from './plane.ts';
import { relaxed } from './relax.ts';
import type { Step } from './step.ts';
import { lengthOf, neighboursOf, spanningForest, type Edge, type LinkForest } from './spanning.ts';

/** A junction that shortens the tree: its gain, the pipes to it, and the edges (by order) that it makes unnecessary. */
interface Junction {
  point: Point;
  gain: number;
  stars: readonly Star[];
  replaced: readonly number[];
}

/** A pipe from a junction to a place. */
interface Star {
  to: number;
  there: Point;
  length: number;
}

/** A tree that is searched for junctions. */
interface Search {
  ground: Ground;
  points: readonly Point[];
  /** Ascending by length, as `forest` linked them. */
  edges: readonly Edge[];
  forest: LinkForest;
  index: Flatbush;
}

interface Shortening {
  step: Step;
  /** The number of places that count as done once it ends; default none. */
  work?: number;
  /** Weight of junctions by their index of discovery; default equal. */
  favour?: (order: number) => number;
}

/** Nearest places whose edges are tried together with a place. */
const nearEdges = 6;
/** Nearest places to which a junction may be joined. */
const nearPlaces = 9;
/** The share of the remaining work that a round counts as, since the number of rounds is unknown. */
const workOfRound = 0.3;
/** A shortening below this share of the tree ends the search. */
const least = 1e-9;
const mostRounds = 60;
const mostTurns = 40;
const turnsOfPlaces = 800;

/**
 * Shortens a tree of clear pipes by junctions: batched iterated 1-Steiner (Kahng & Robins, A new class of iterative
 * Steiner tree heuristics with good performance, IEEE TCAD 11, 1992). Candidates are where a place best meets two
 * others that the tree joins (Borah, Owens & Irwin, IEEE TCAD 13, 1994); the gain of each is the longest edges that its
 * pipes make unnecessary. After each round junctions move to where they are shortest.
 */
function shortened(ground: Ground, net: Net, { step, work = 0, favour = () => 1 }: Shortening): Net {
  let best = relaxed(ground, pruned(ground, net));
  let left = work;
  for (let round = 0; round < mostRounds; round += 1) {
    const next = relaxed(ground, withJunctions(ground, best, favour));
    step(left * workOfRound);
    left *= 1 - workOfRound;
    const saved = lengthOf(best.edges) - lengthOf(next.edges);
    if (!(saved > least * lengthOf(best.edges))) break;
    best = next;
  }
  step(left);
  return best;
}

function withJunctions(ground: Ground, net: Net, favour: (order: number) => number): Net {
  const { kept, forest } = spanningForest(net.points.length, net.edges);
  const search: Search = { ground, points: net.points, edges: kept, forest, index: indexOf(net.points) };
  const junctions = candidates(search)
    .flatMap((point) => junctionAt(search, point) ?? [])
    .map((junction, order) => ({ ...junction, worth: junction.gain * favour(order) }))
    .sort((one, other) => other.worth - one.worth);
  const points = [...net.points];
  const edges = [...kept];
  const replaced = new Set<number>();
  for (const junction of junctions) {
    if (junction.replaced.some((order) => replaced.has(order))) continue;
    for (const order of junction.replaced) replaced.add(order);
    for (const { to, length } of junction.stars) edges.push({ a: points.length, b: to, length });
    points.push(junction.point);
  }
  // Spanning old and new edges together can only be shorter, however the junctions affect one another.
  return pruned(ground, { fixed: net.fixed, points, edges: [...edges, ...nearbyEdges(ground, points, edges)] });
}

/** Clear pipes from each place to its nearest ones that are shorter than the present connection. */
function nearbyEdges(ground: Ground, points: readonly Point[], edges: readonly Edge[]): Edge[] {
  const { kept, forest } = spanningForest(points.length, edges);
  const index = indexOf(points);
  return points.flatMap((from, a) =>
    index.neighbors(from.x, from.y, nearEdges + 1).flatMap((b) => {
      const to = points[b];
      if (b <= a || to === undefined) return [];
      const longest = kept[forest.longestBetween(a, b)]?.length ?? Infinity;
      return ground.metric.distance(from, to) < longest ? (clearEdge(ground, points, [a, b]) ?? []) : [];
    }),
  );
}

/**
 * Removes the junctions of one neighbourhood at a time and shortens again in another order, which improves many trees
 * that no single junction shortens. The more places, the fewer turns: about the same work for any net.
 */
export function refined(ground: Ground, net: Net, step: Step = () => undefined): Net {
  if (net.points.length < 3) return net; // one straight pipe
  const turns = Math.min(mostTurns, Math.floor(turnsOfPlaces / net.fixed));
  const work = (net.fixed * 0.5) / (turns + 1);
  let best = shortened(ground, net, { step, work });
  for (let turn = 1; turn <= turns; turn += 1) {
    step(work);
    const left = without(ground, best, neighbourhood(best, turn));
    if (!isWhole(left)) continue; // houses stand between what was taken apart
    const next = shortened(ground, left, { step, favour: (order) => 1 + share(turn, order) });
    if (lengthOf(best.edges) - lengthOf(next.edges) > least * lengthOf(best.edges)) best = next;
  }
  return best;
}

function isWhole({ points, edges }: Net): boolean {
  return spanningForest(points.length, edges).kept.length === points.length - 1;
}

/** Junctions around a place, few or many depending on the turn. */
function neighbourhood({ points, fixed, edges }: Net, turn: number): Set<number> {
  const neighbours = neighboursOf(points.length, edges);
  const at = points[Math.floor(share(turn, 0) * points.length)];
  const found = at === undefined ? [] : indexOf(points).neighbors(at.x, at.y, 4 + (turn % 4) * 4);
  return new Set(found.filter((place) => place >= fixed && (neighbours[place]?.length ?? 0) > 2));
}

/** A number from 0 to below 1, determined by two others (Weyl sequences of the golden ratio and of the root of two). */
function share(one: number, other: number): number {
  const mixed = one * 0.6180339887498949 + other * 0.4142135623730951;
  return mixed - Math.floor(mixed);
}

/** The tree without some junctions, rejoined by pipes between nearby places. */
function without(ground: Ground, { points, fixed, edges }: Net, gone: ReadonlySet<number>): Net {
  const isLeft = (place: number): boolean => place < fixed || !gone.has(place);
  const left = [...points.keys()].filter(isLeft);
  const now = new Map(left.map((place, index) => [place, index]));
  const others = left.flatMap((place) => points[place] ?? []);
  const loose = new Set<number>();
  const kept: Edge[] = [];
  for (const { a, b, length } of edges) {
    const [from, to] = [now.get(a), now.get(b)];
    if (from !== undefined && to !== undefined) kept.push({ a: from, b: to, length });
    else for (const end of [from, to]) if (end !== undefined) loose.add(end);
  }
  const joins = [...loose].flatMap((a) =>
    [...loose].flatMap((b) => (a < b ? (clearEdge(ground, others, [a, b]) ?? []) : [])),
  );
  const found = [...kept, ...joins];
  return { points: others, fixed, edges: [...found, ...nearbyEdges(ground, others, found)] };
}

/** Where a place would meet two others that an edge or a place joins, each once. */
function candidates({ ground: { metric, field }, points, edges, index }: Search): Point[] {
  const neighbours = neighboursOf(points.length, edges);
  const found = new Map<string, Point>();
  const propose = (p: number, q: number, r: number): void => {
    const [a, b, c] = [points[p], points[q], points[r]];
    if (a === undefined || b === undefined || c === undefined || p === r) return;
    const point = metric.meeting(a, b, c);
    found.set(`${point.x.toPrecision(9)} ${point.y.toPrecision(9)}`, point);
  };
  for (const [place, point] of points.entries()) {
    const own = neighbours[place] ?? [];
    for (const [at, q] of own.entries()) for (const r of own.slice(at + 1)) propose(place, q, r);
    for (const q of index.neighbors(point.x, point.y, nearEdges + 1)) {
      if (q !== place) for (const r of neighbours[q] ?? []) propose(place, q, r);
    }
  }
  for (const point of points) found.delete(`${point.x.toPrecision(9)} ${point.y.toPrecision(9)}`);
  return [...found.values(), ...field.corners];
}

/**
 * The junction of a point with its neighbourhood; undefined when it saves nothing. Obstacles can only reduce the gain,
 * so they are checked last.
 */
function junctionAt(search: Search, point: Point): Junction | undefined {
  const { metric, field } = search.ground;
  const near = search.index.neighbors(point.x, point.y, nearPlaces).flatMap((to): Star[] => {
    const there = search.points[to];
    return there === undefined ? [] : [{ to, there, length: metric.distance(point, there) }];
  });
  const isClear = ({ there }: Star): boolean => field.clearWay(metric, point, there) !== undefined;
  const free = junctionTo(search, point, near);
  if (free === undefined || field.isEmpty) return free;
  if (field.covers(point)) return undefined;
  if (free.stars.every(isClear)) return free;
  return junctionTo(search, point, near.filter(isClear));
}

/** The best junction of some pipes. */
function junctionTo({ edges, forest }: Search, point: Point, near: readonly Star[]): Junction | undefined {
  if (near.length < 3) return undefined;
  const count = near.length;
  const between = new Float64Array(count * count);
  for (let i = 0; i < count; i += 1) {
    for (let j = i + 1; j < count; j += 1) {
      const order = forest.longestBetween(near[i]?.to ?? 0, near[j]?.to ?? 0);
      between[i * count + j] = order;
      between[j * count + i] = order;
    }
  }
  const weight = (order: number): number => edges[order]?.length ?? Infinity;
  const { stars, kept } = spanWithStar(near, between, weight);
  if (stars.length < 3) return undefined;
  const replaced = spanOrders(count, between).filter((order) => !kept.has(order));
  const saved = replaced.reduce((sum, order) => sum + weight(order), 0);
  const gain = saved - stars.reduce((sum, { length }) => sum + length, 0);
  return gain > least * saved ? { point, gain, stars, replaced } : undefined;
}

/** Orders of the edges in the minimum spanning tree over a few places. */
function spanOrders(count: number, between: Float64Array): number[] {
  const reach = Array.from({ length: count }, (_, to) => (to === 0 ? Infinity : (between[to] ?? Infinity)));
  const open = new Set(reach.keys());
  open.delete(0);
  const orders: number[] = [];
  while (open.size > 0) {
    let next = -1;
    for (const to of open) if (next < 0 || (reach[to] ?? 0) < (reach[next] ?? 0)) next = to;
    orders.push(reach[next] ?? Infinity);
    open.delete(next);
    for (const to of open) reach[to] = Math.min(reach[to] ?? Infinity, between[next * count + to] ?? Infinity);
  }
  return orders;
}

/** The same with the junction as an additional place: the pipes to it, and the edges, that are used. */
function spanWithStar(
  near: readonly Star[],
  between: Float64Array,
  weight: (order: number) => number,
): { stars: Star[]; kept: Set<number> } {
  const count = near.length;
  /** Order of the edge by which a place would be reached; -1 is the pipe to the junction. */
  const by = new Int32Array(count).fill(-1);
  const reach = near.map(({ length }) => length);
  const open = new Set(reach.keys());
  const stars: Star[] = [];
  const kept = new Set<number>();
  while (open.size > 0) {
    let next = -1;
    for (const to of open) if (next < 0 || (reach[to] ?? 0) < (reach[next] ?? 0)) next = to;
    open.delete(next);
    const order = by[next] ?? -1;
    const star = near[next];
    if (order >= 0) kept.add(order);
    else if (star !== undefined) stars.push(star);
    for (const to of open) {
      const along = between[next * count + to] ?? Infinity;
      if (weight(along) < (reach[to] ?? 0)) {
        reach[to] = weight(along);
        by[to] = along;
      }
    }
  }
  return { stars, kept };
}

function indexOf(points: readonly Point[]): Flatbush {
  const index = new Flatbush(points.length);
  for (const { x, y } of points) index.add(x, y);
  index.finish();
  return index;
}
