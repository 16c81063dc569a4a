import { gateOf } from './gate.ts';
import { firstTree, netOf } from './first-tree.ts';
import type { Ground, Net } from './net.ts';
import { grown, isInside, ObstacleField, type GrownObstacle, type Obstacle } from './obstacle.ts';
import { euclidean, rectilinear, type Metric, type Point } from './plane.ts';
import { refined } from './steiner.ts';
import type { Step } from './step.ts';

/** An area to keep out of, unless what is served stands in it. */
export interface Barrier extends Obstacle {
  /** Whether a pipe may enter it to what stands inside: a house may be entered, ground that is not to be dug up may not. */
  canEnter: boolean;
}

export interface RouteTask {
  metric: Metric;
  /** What to join, no two at one point. */
  terminals: readonly Point[];
  barriers: readonly Barrier[];
  step?: Step;
}

/** Places that no pipe reaches: they stand where none may be, or nothing leads to them. */
export class NoWayError extends Error {
  readonly code = 'no_way';
  /** Indices of terminals. */
  readonly terminals: readonly number[];

  constructor(terminals: readonly number[]) {
    super('no pipe can reach some of the places');
    this.terminals = terminals;
  }
}

/** A place to be joined, and which terminals lie behind it. */
interface Served {
  point: Point;
  terminals: readonly number[];
}

type Grown = Barrier & GrownObstacle;

/** Where places stand together: in a barrier, or so close beside it that pipes could not come as far away as they should. */
interface Stay {
  barrier: Grown;
  isBeside: boolean;
  /** What stands in the way of pipes among them. */
  within: readonly Grown[];
}

interface Task {
  served: readonly Served[];
  barriers: readonly Grown[];
}

/** The pipes of a short tree, each by its corners: it joins all terminals, enters no barrier but to what stands in it, and a house by one pipe. Throws NoWayError. */
export function routePipes({ metric, terminals, barriers, step = () => undefined }: RouteTask): (readonly Point[])[] {
  const served = terminals.map((point, index) => ({ point, terminals: [index] }));
  const pipes = laid({ metric, step }, { served, barriers: barriers.map(grown) });
  // Gates of two houses may be one point: a pipe without length joins them.
  return pipes.map(withoutRepeats).filter((way) => way.length > 1);
}

function withoutRepeats(way: readonly Point[]): readonly Point[] {
  return way.filter((point, at) => point.x !== way[at - 1]?.x || point.y !== way[at - 1]?.y);
}

type Way = Pick<Required<RouteTask>, 'metric' | 'step'>;

/** Joins what stands in each barrier by itself and leads it out through one gate; outside, the gates stand for them. */
function laid(way: Way, { served, barriers }: Task): (readonly Point[])[] {
  if (served.length < 2) return [];
  const field = new ObstacleField(barriers);
  const groups = Map.groupBy(served, ({ point }) => stayOf(point, { field, barriers }));
  const outside = [...(groups.get('outside') ?? [])];
  groups.delete('outside');
  const pipes: (readonly Point[])[] = [];
  for (const [key, members] of groups) {
    const stay = readStay(key, barriers);
    const ids = members.flatMap(({ terminals }) => terminals);
    if (stay === undefined) throw new NoWayError(ids);
    const others = served.filter((one) => !members.includes(one)).map(({ point }) => point);
    const inner = [...members];
    if (others.length > 0) {
      const points = members.map(({ point }) => point);
      const gate = gateOf({ ...way, ...stay, field, members: points, others });
      if (gate === undefined) throw new NoWayError(ids);
      inner.push({ point: gate, terminals: ids });
      outside.push({ point: gate, terminals: ids });
    }
    pipes.push(...laid(way, { served: inner, barriers: stay.within }));
  }
  return [...pipes, ...joined(way, outside, field)];
}

/** Where a point stands: `outside`, `in N` or `near N` the largest barrier that covers it. Text, to group by. */
function stayOf(point: Point, { field, barriers }: { field: ObstacleField; barriers: readonly Grown[] }): string {
  const covering = field.covering(point);
  if (covering.length === 0) return 'outside';
  const [largest = 0] = covering.toSorted((one, other) => field.area(other) - field.area(one));
  const barrier = barriers[largest];
  return `${barrier !== undefined && isWithin(point, barrier) ? 'in' : 'near'} ${largest}`;
}

/** The barrier of a stay, and the barriers for those who stay there: its own is open, or comes without clearance. Undefined where no pipe may go. */
function readStay(key: string, barriers: readonly Grown[]): Stay | undefined {
  const [where, place] = key.split(' ');
  const barrier = barriers[Number(place)];
  if (barrier === undefined) return undefined;
  const others = barriers.filter((one) => one !== barrier);
  if (where === 'near') return { barrier, isBeside: true, within: [...others, grown({ ...barrier, clearance_m: 0 })] };
  return barrier.canEnter ? { barrier, isBeside: false, within: others } : undefined;
}

/** Whether a point is inside the area itself, or so close that its wall cannot be told from it. */
function isWithin(point: Point, barrier: Barrier): boolean {
  return isInside(point, barrier.rings) || new ObstacleField([grown({ ...barrier, clearance_m: 0.002 })]).covers(point);
}

function joined({ metric, step }: Way, served: readonly Served[], field: ObstacleField): (readonly Point[])[] {
  if (served.length < 2) return [];
  const points = served.map(({ point }) => point);
  const found = shortTree({ metric, field }, points, step);
  if ('apart' in found) throw new NoWayError(smaller(found.apart, served));
  if (metric.name === 'rectilinear' || field.isEmpty) return found.ways;
  // Between long houses a tree along two directions is often the better one to shorten: both are tried.
  const quiet: Step = () => step();
  const along = shortTree({ metric: rectilinear, field }, points, quiet);
  if ('apart' in along) return found.ways;
  const ground: Ground = { metric, field };
  const other = waysOf(ground, refined(ground, netOf(ground, points, along.ways), quiet));
  return lengthOf(other) < lengthOf(found.ways) ? other : found.ways;
}

type Tree = { ways: (readonly Point[])[] } | { apart: readonly number[][] };

function shortTree(ground: Ground, points: readonly Point[], step: Step): Tree {
  const first = firstTree(ground, points, step);
  return 'apart' in first ? first : { ways: waysOf(ground, refined(ground, first.net, step)) };
}

function lengthOf(ways: readonly (readonly Point[])[]): number {
  return ways
    .flatMap((way) => way.slice(1).map((to, at) => euclidean.distance(way[at] ?? to, to)))
    .reduce((sum, one) => sum + one, 0);
}

/** All but the largest group. */
function smaller(groups: readonly (readonly number[])[], served: readonly Served[]): number[] {
  const [, ...others] = groups.toSorted((one, other) => other.length - one.length);
  return others.flat().flatMap((place) => served[place]?.terminals ?? []);
}

function waysOf({ metric, field }: Ground, { points, edges }: Net): (readonly Point[])[] {
  return edges.map(({ a, b }) => {
    const [from, to] = [points[a], points[b]];
    const way = from && to && field.clearWay(metric, from, to);
    if (way === undefined) throw new Error('a tree has clear edges only');
    return way;
  });
}
