import { gateOf } from './gate.ts';
import { firstTree, netOf } from './first-tree.ts';
import { CheapLines, type CheapLine } from './lines.ts';
import { edgeWay, type Ground, type LaidWay, type Net } from './net.ts';
import { crossings, untangled } from './untangle.ts';
import { grown, isInside, nearestOnOutline, ObstacleField, type GrownObstacle, type Obstacle } from './obstacle.ts';
import { passed } from './passing.ts';
import { euclidean, rectilinear, type Metric, type Point } from './plane.ts';
import { refined } from './steiner.ts';
import type { Step } from './step.ts';
import { weld_m, welded } from './weld.ts';

/** An area to avoid, unless something served is inside. */
export interface Barrier extends Obstacle {
  /** Whether a pipe may enter it for what is inside: it may enter a house, but not no-trench ground. */
  canEnter: boolean;
  /** Near where pipes should enter it; by default at the best place. */
  entry?: Point;
}

export interface RouteTask {
  metric: Metric;
  /** What to join, no two at one point. */
  terminals: readonly Point[];
  barriers: readonly Barrier[];
  /** Existing pipes, and preferred corridors. */
  lines?: readonly CheapLine[];
  /** Indices of the terminals that are sources: they need no pipe between each other. Default the first. */
  sources?: readonly number[];
  /** Terminals that pipes only pass. */
  passing?: readonly number[];
  step?: Step;
}

/** Places that no pipe can reach: they are where none may be, or nothing leads to them. */
export class NoWayError extends Error {
  readonly code = 'no_way';
  /** Indices of terminals. */
  readonly terminals: readonly number[];

  constructor(terminals: readonly number[]) {
    super('no pipe can reach some of the places');
    this.terminals = terminals;
  }
}

/** A place to be joined, and the terminals behind it. */
interface Served {
  point: Point;
  terminals: readonly number[];
  isSource: boolean;
  /** Pipes lead on from here, as it draws no water. */
  isPassed: boolean;
}

type Grown = Barrier & GrownObstacle;

/** Closer to a wall than this, a place counts as inside, m. */
const wallDoubt_m = 0.003;

/** Where places are together: in a barrier, or so close to it that pipes could not keep their clearance. */
interface Stay {
  barrier: Grown;
  isBeside: boolean;
  /** The obstacles to pipes between them. */
  within: readonly Grown[];
}

interface Task {
  served: readonly Served[];
  barriers: readonly Grown[];
}

/**
 * The pipes of a short tree, each by its corners: it joins all terminals, enters no barrier except for what is inside,
 * and a house by one pipe. Throws NoWayError.
 */
export function routePipes(task: RouteTask): (readonly Point[])[] {
  return laidPipes(task).map(({ way }) => way);
}

/** The same, with the indices of the lines that pipes follow. Several sources have a tree each. */
export function laidPipes(task: RouteTask): LaidWay[] {
  const { metric, terminals, barriers, lines = [], sources = [0], passing = [], step = () => undefined } = task;
  const served = terminals.map((point, index) => ({
    point,
    terminals: [index],
    isSource: sources.includes(index),
    isPassed: passing.includes(index),
  }));
  const ways = laid({ metric, step, lines }, { served, barriers: barriers.map(grown) });
  // Gates of two houses may be one point: a pipe without length joins them.
  const pipes = ways.flatMap(({ way, line }) => {
    const bends = withoutRepeats(way);
    return bends.length > 1 && (line === null || lines[line] !== undefined) ? [{ way: bends, line }] : [];
  });
  return lines.length === 0 && sources.length < 2 ? pipes : untangled(pipes, terminals, { lines, step });
}

function withoutRepeats(way: readonly Point[]): readonly Point[] {
  return way.filter((point, at) => point.x !== way[at - 1]?.x || point.y !== way[at - 1]?.y);
}

type Way = Pick<Required<RouteTask>, 'metric' | 'step' | 'lines'>;

/** Joins what is in each barrier separately and leads it out through one gate; outside, the gates represent it. */
function laid(way: Way, { served, barriers }: Task, isHere: (point: Point) => boolean = () => true): LaidWay[] {
  if (served.length < 2) return [];
  const field = new ObstacleField(barriers);
  const groups = Map.groupBy(served, ({ point }) => stayOf(point, { field, barriers }));
  const outside = [...(groups.get('outside') ?? [])];
  groups.delete('outside');
  const pipes: LaidWay[] = [];
  for (const [key, members] of groups) {
    const stay = readStay(key, barriers);
    if (stay === undefined) throw new NoWayError(behind(members));
    const others = served.filter((one) => !members.includes(one));
    const gate = others.length === 0 ? undefined : gateFor(way, { stay, field, members, others });
    if (gate !== undefined) outside.push(gate);
    const inner = gate === undefined ? members : [...members, { ...gate, isSource: false, isPassed: false }];
    const isWithinStay = (point: Point): boolean => point === gate?.point || isInside(point, stay.barrier.outline);
    pipes.push(...laid(way, { served: inner, barriers: stay.within }, isWithinStay));
  }
  return [...pipes, ...joined(way, outside, { field, isHere })];
}

function behind(served: readonly Served[]): number[] {
  return served.flatMap(({ terminals }) => terminals);
}

interface GateTask {
  stay: Stay;
  field: ObstacleField;
  members: readonly Served[];
  others: readonly Served[];
}

/** The gate through which the members of a barrier are led out, which represents them outside. Throws NoWayError. */
function gateFor(way: Way, { stay, field, members, others }: GateTask): Served {
  const pointsOf = (list: readonly Served[]): Point[] => list.map(({ point }) => point);
  const found = { ...way, ...stay, field, members: pointsOf(members), others: pointsOf(others) };
  const isAsked = stay.barrier.entry !== undefined && !stay.isBeside;
  const point = isAsked ? askedEntry(stay, field) : (entryOf(found) ?? gateOf(found));
  const terminals = behind(members);
  if (point === undefined) throw new NoWayError(terminals);
  const isSource = members.some((one) => one.isSource);
  return { point, terminals, isSource, isPassed: members.every((one) => one.isPassed) };
}

/** The requested entry of pipes; undefined when something else is there. */
function askedEntry({ barrier: { entry, outline } }: Stay, field: ObstacleField): Point | undefined {
  const gate = entry && nearestOnOutline(entry, outline);
  return gate === undefined || field.covers(gate) ? undefined : gate;
}

interface EntryTask extends Pick<Way, 'lines'>, Stay {
  field: ObstacleField;
  members: readonly Point[];
}

/** Where an existing pipe already leads into a house. */
function entryOf({ lines, barrier: { outline }, isBeside, field, members }: EntryTask): Point | undefined {
  if (isBeside) return undefined;
  const found = lines.filter(({ weight }) => weight === 0).flatMap(({ points }) => crossings(points, outline));
  const away = (point: Point): number => Math.min(...members.map((member) => euclidean.distance(member, point)));
  return found.filter((point) => !field.covers(point)).toSorted((one, other) => away(one) - away(other))[0];
}

/** Where a point is: `outside`, `in N` or `near N` the largest barrier that covers it. Text, for grouping. */
function stayOf(point: Point, { field, barriers }: { field: ObstacleField; barriers: readonly Grown[] }): string {
  const covering = field.covering(point);
  if (covering.length === 0) return 'outside';
  const [largest = 0] = covering.toSorted((one, other) => field.area(other) - field.area(one));
  const barrier = barriers[largest];
  return `${barrier !== undefined && isWithin(point, barrier) ? 'in' : 'near'} ${largest}`;
}

/**
 * The barrier of a stay, and the barriers for its places: its own is open, or has no clearance. undefined when no pipe
 * may enter.
 */
function readStay(key: string, barriers: readonly Grown[]): Stay | undefined {
  const [where, place] = key.split(' ');
  const barrier = barriers[Number(place)];
  if (barrier === undefined) return undefined;
  const others = barriers.filter((one) => one !== barrier);
  if (where === 'near') return { barrier, isBeside: true, within: [...others, grown({ ...barrier, clearance_m: 0 })] };
  return barrier.canEnter ? { barrier, isBeside: false, within: others } : undefined;
}

/** Whether a point is inside the area itself, or too close to its wall to tell. */
function isWithin(point: Point, barrier: Barrier): boolean {
  if (isInside(point, barrier.rings)) return true;
  const wall = nearestOnOutline(point, barrier.rings);
  return wall !== undefined && euclidean.distance(point, wall) <= wallDoubt_m;
}

interface Place {
  field: ObstacleField;
  /** Whether pipes laid here may join a line at a point. */
  isHere: (point: Point) => boolean;
}

function joined({ metric, step, lines }: Way, served: readonly Served[], place: Place): LaidWay[] {
  if (served.length < 2) return [];
  const points = served.map(({ point }) => point);
  const sources = served.filter(({ isSource }) => isSource).map(({ point }) => point);
  const links: CheapLine[] = sources.length < 2 ? [] : [{ points: sources, weight: 0, isVirtual: true }];
  const choices = choicesOf(lines, links);
  const found = choices.map((few) =>
    bestTree({ metric, step: shareOf(step, choices.length) }, served, {
      ...place,
      lines: few.length === 0 ? undefined : linesOf(few, { metric, points, place, step: () => step() }),
    }),
  );
  const costOf = (ways: readonly LaidWay[]): number => waysCost(ways, [...lines, ...links]);
  return found.reduce((best, one) => (costOf(one) < costOf(best) ? one : best));
}

/**
 * All lines, without the corridors, and none: a tree that includes a distant line may cost more than one without. Lines
 * that are left out keep their index, as lines without points.
 */
function choicesOf(lines: readonly CheapLine[], links: readonly CheapLine[]): (readonly CheapLine[])[] {
  if (lines.length === 0) return [links];
  const nothing = { points: [], weight: 0 };
  const existing = lines.map((line) => (line.weight === 0 ? line : nothing));
  const some = lines.some(({ weight }) => weight > 0) ? [lines, existing] : [lines];
  return [...some.map((one) => [...one, ...links]), links.length === 0 ? [] : [...lines.map(() => nothing), ...links]];
}

function linesOf(
  lines: readonly CheapLine[],
  {
    metric,
    points,
    place: { field, isHere },
    step,
  }: { metric: Metric; points: readonly Point[]; place: Place; step: Step },
): CheapLines {
  const allows = (point: Point): boolean => isHere(point) && !field.covers(point);
  return new CheapLines(lines, { metric, field, terminals: points, allows, step });
}

type TreeTask = Pick<Way, 'metric' | 'step'>;

function bestTree(
  { metric, step }: TreeTask,
  served: readonly Served[],
  { field, lines }: { field: ObstacleField; lines: CheapLines | undefined },
): LaidWay[] {
  const points = served.map(({ point }) => point);
  const passing = served.flatMap(({ isPassed }, at) => (isPassed ? [at] : []));
  const ground: Ground = { metric, field, ...(lines && { lines }) };
  // Between long houses a tree along two directions is often the better start for shortening: both are tried.
  const isTried = metric.name !== 'rectilinear' && !field.isEmpty && lines === undefined;
  const part = shareOf(step, isTried ? 2 : 1);
  const found = shortTree(ground, points, part);
  if ('apart' in found) throw new NoWayError(smaller(found.apart, served));
  const netWays = (net: Net): LaidWay[] => waysOf(ground, welded(ground, passed(ground, net, passing)));
  const first = netWays(found.net);
  if (!isTried) return first;
  const along = shortTree({ metric: rectilinear, field }, points, part);
  if ('apart' in along) return first;
  const ways = waysOf({ metric: rectilinear, field }, along.net).map(({ way }) => way);
  const other = netWays(refined(ground, netOf(ground, points, ways), () => step()));
  return waysCost(other, []) < waysCost(first, []) ? other : first;
}

/** The step of one of several trees over the same places, of which each counts as a part. */
function shareOf(step: Step, trees: number): Step {
  return (done = 0) => step(done / trees);
}

type Tree = { net: Net } | { apart: readonly number[][] };

function shortTree(ground: Ground, points: readonly Point[], step: Step): Tree {
  const first = firstTree(ground, points, step);
  return 'apart' in first ? first : { net: refined(ground, first.net, step) };
}

/** Length, less along lines. */
function waysCost(ways: readonly LaidWay[], lines: readonly CheapLine[]): number {
  return ways.reduce((sum, { way, line }) => {
    const length = way.reduce((one, to, at) => one + euclidean.distance(way[at - 1] ?? to, to), 0);
    return sum + length * (line === null ? 1 : (lines[line]?.weight ?? 1));
  }, 0);
}

/** All but the largest group. */
function smaller(groups: readonly (readonly number[])[], served: readonly Served[]): number[] {
  const [, ...others] = groups.toSorted((one, other) => other.length - one.length);
  return others.flat().flatMap((place) => served[place]?.terminals ?? []);
}

function waysOf(ground: Ground, { points, edges }: Net): LaidWay[] {
  return edges.map(({ a, b }) => {
    const [from, to] = [points[a], points[b]];
    const way = from && to && edgeWay(ground, from, to);
    if (way === undefined) throw new Error('a tree has clear edges only');
    return straightened(ground, way);
  });
}

/** Makes it straight if a corner is closer to an end than can be laid. */
function straightened({ field }: Ground, laid: LaidWay): LaidWay {
  const [from, corner, to, ...more] = laid.way;
  if (laid.line !== null || from === undefined || corner === undefined || to === undefined || more.length > 0) {
    return laid;
  }
  const isAtEnd = [from, to].some((end) => euclidean.distance(corner, end) < weld_m);
  const way = isAtEnd ? field.clearWay(euclidean, from, to) : undefined;
  return way === undefined ? laid : { ...laid, way };
}
