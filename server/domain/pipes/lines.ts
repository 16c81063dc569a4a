import type { ObstacleField } from './obstacle.ts';
import { euclidean, type Metric, type Point } from './plane.ts';
import type { Step } from './step.ts';

/** A line along which a pipe costs less than elsewhere. */
export interface CheapLine {
  points: readonly Point[];
  /** Cost of a metre: 0 for an existing pipe, below 1 in a preferred corridor. */
  weight: number;
  /** Whether it only joins its points, as for sources, without a pipe along it. */
  isVirtual?: boolean;
}

interface LinesTask {
  metric: Metric;
  field: ObstacleField;
  terminals: readonly Point[];
  /** Where pipes may join a line, beside the terminals. */
  allows: (point: Point) => boolean;
  step?: Step;
}

/** A point on a line: its piece is what a pipe can follow without a break. */
interface Place {
  line: number;
  piece: number;
  at_m: number;
}

/** A place on a line where pipes may join. */
interface Mark {
  point: Point;
  at_m: number;
}

/** A place closer than this is on a line, m. */
const touching_m = 0.02;
/** Closer places for joining a line count as one, m. */
const apart_m = 0.25;
/** How far from a corridor to include corners of obstacles, at which a way around them may turn, m. */
const beside_m = 30;

/** Lines as pipes can follow them: places where pipes may join, and the cost from one to another. */
export class CheapLines {
  /** Where pipes may join, beside the terminals. */
  readonly nodes: readonly Point[];
  /** Successive places on a line. */
  readonly links: readonly (readonly [Point, Point])[];
  readonly #lines: readonly CheapLine[];
  /** By line: its corners with their distance from its start. */
  readonly #corners: readonly (readonly Mark[])[];
  readonly #places = new Map<string, Place[]>();

  constructor(lines: readonly CheapLine[], task: LinesTask) {
    this.#lines = lines;
    this.#corners = lines.map(({ points }) => measured(points));
    const links: (readonly [Point, Point])[] = [];
    for (const [line, one] of lines.entries()) {
      const corners = this.#corners[line] ?? [];
      const marks = marksOf(one, { ...task, corners, ends: endsOf(lines, line) });
      let piece = 0;
      for (const [at, mark] of marks.entries()) {
        task.step?.();
        const before = marks[at - 1];
        const isCut = one.weight > 0 && before !== undefined && !isOpen(corners, before, mark, task.field);
        if (isCut) piece += 1;
        else if (before !== undefined) links.push([before.point, mark.point]);
        const known = this.#places.get(keyOf(mark.point)) ?? [];
        this.#places.set(keyOf(mark.point), [...known, { line, piece, at_m: mark.at_m }]);
      }
    }
    this.links = links;
    const own = new Set(task.terminals.map(keyOf));
    const nodes = new Map(links.flat().map((point) => [keyOf(point), point]));
    this.nodes = [...nodes].flatMap(([key, point]) => (own.has(key) ? [] : [point]));
  }

  has(point: Point): boolean {
    return this.#places.has(keyOf(point));
  }

  /** The cost of the way along a line; undefined when no line joins the two. */
  cost(a: Point, b: Point): number | undefined {
    return this.#between(a, b)?.cost;
  }

  /** The line that joins two places, and its corners between them. */
  way(a: Point, b: Point): { line: number; way: readonly Point[] } | undefined {
    const found = this.#between(a, b);
    if (found === undefined) return undefined;
    const { line, from_m, to_m } = found;
    const [low, high] = [Math.min(from_m, to_m), Math.max(from_m, to_m)];
    const inner = cornersBetween(this.#corners[line] ?? [], low + touching_m, high - touching_m);
    return { line, way: [a, ...(from_m < to_m ? inner : inner.toReversed()), b] };
  }

  #between(a: Point, b: Point): { line: number; from_m: number; to_m: number; cost: number } | undefined {
    const others = this.#places.get(keyOf(b));
    if (others === undefined) return undefined;
    const found = (this.#places.get(keyOf(a)) ?? []).flatMap((from) =>
      others
        .filter((to) => to.line === from.line && to.piece === from.piece)
        .map((to) => ({
          line: from.line,
          from_m: from.at_m,
          to_m: to.at_m,
          cost: (this.#lines[from.line]?.weight ?? 1) * Math.abs(from.at_m - to.at_m),
        })),
    );
    return found.toSorted((one, other) => one.cost - other.cost)[0];
  }
}

/** Corners of a line with their distance from its start. */
function measured(points: readonly Point[]): Mark[] {
  let at_m = 0;
  return points.map((point, at) => {
    at_m += at === 0 ? 0 : euclidean.distance(points[at - 1] ?? point, point);
    return { point, at_m };
  });
}

/** Corners after one place of a line and before another. */
function cornersBetween(corners: readonly Mark[], low_m: number, high_m: number): Point[] {
  let [first, end] = [0, corners.length];
  while (first < end) {
    const middle = (first + end) >>> 1;
    if ((corners[middle]?.at_m ?? 0) > low_m) end = middle;
    else first = middle + 1;
  }
  const found: Point[] = [];
  for (let at = first, corner = corners[at]; corner !== undefined && corner.at_m < high_m; corner = corners[at]) {
    found.push(corner.point);
    at += 1;
  }
  return found;
}

interface MarksTask extends LinesTask {
  corners: readonly Mark[];
  /** Ends of other lines, to which pipes may change. */
  ends: readonly Point[];
}

/**
 * Places on a line in order: terminals and ends of other lines on it, its corners, and the points nearest to terminals
 * or straight across from them.
 */
function marksOf(
  line: CheapLine,
  { metric, field, terminals, corners, ends, allows, step = () => undefined }: MarksTask,
): readonly Mark[] {
  if (line.isVirtual === true || corners.length < 2) return corners;
  const footOf = (point: Point): Mark => {
    step();
    return nearestOn(corners, point);
  };
  const feet = terminals.map((point) => ({ point, foot: footOf(point) }));
  const isOn = ({ point, foot }: { point: Point; foot: Mark }): boolean =>
    euclidean.distance(point, foot.point) < touching_m;
  const onLine = [...feet.filter(isOn), ...ends.map((point) => ({ point, foot: footOf(point) })).filter(isOn)];
  const sure = new Map(onLine.toReversed().map(({ point, foot }) => [keyOf(point), { point, at_m: foot.at_m }]));
  const beside =
    line.weight === 0 ? [] : field.corners.filter((point) => euclidean.distance(point, footOf(point).point) < beside_m);
  const turns = [...terminals, ...beside];
  const across = metric.name === 'rectilinear' ? turns.flatMap((point) => acrossOn(corners, point)) : [];
  const joints = [...feet.map(({ foot }) => foot), ...beside.map(footOf), ...across];
  const found: Mark[] = [...sure.values()];
  const taken = new Set(found.map(({ at_m }) => slotOf(at_m)));
  const near = new NearPlaces(found);
  for (const [at, mark] of [...corners, ...joints].entries()) {
    const slot = slotOf(mark.at_m);
    const isCorner = at < corners.length && !near.has(mark.at_m);
    if ((!isCorner && taken.has(slot)) || !allows(mark.point)) continue;
    taken.add(slot);
    near.add(mark.at_m);
    found.push(mark);
  }
  return found.toSorted((one, other) => one.at_m - other.at_m);
}

function slotOf(at_m: number): number {
  return Math.round(at_m / apart_m);
}

/** Places along a line, for finding one within `touching_m`. */
class NearPlaces {
  readonly #cells = new Map<number, number[]>();

  constructor(marks: readonly Mark[]) {
    for (const { at_m } of marks) this.add(at_m);
  }

  add(at_m: number): void {
    const cell = Math.floor(at_m / touching_m);
    const known = this.#cells.get(cell);
    if (known === undefined) this.#cells.set(cell, [at_m]);
    else known.push(at_m);
  }

  has(at_m: number): boolean {
    const cell = Math.floor(at_m / touching_m);
    return [cell - 1, cell, cell + 1].some((one) =>
      this.#cells.get(one)?.some((other) => Math.abs(other - at_m) <= touching_m),
    );
  }
}

function endsOf(lines: readonly CheapLine[], except: number): Point[] {
  return lines.flatMap(({ points, isVirtual }, at) =>
    at === except || isVirtual === true ? [] : [points[0], points.at(-1)].filter((point) => point !== undefined),
  );
}

function nearestOn(corners: readonly Mark[], point: Point): Mark {
  let best: Mark & { away: number } = { point, at_m: 0, away: Infinity };
  for (const [at, to] of corners.entries()) {
    const from = corners[at - 1];
    if (from === undefined) continue;
    const [dx, dy] = [to.point.x - from.point.x, to.point.y - from.point.y];
    const square = dx * dx + dy * dy;
    const share = square === 0 ? 0 : ((point.x - from.point.x) * dx + (point.y - from.point.y) * dy) / square;
    const mark = between(from, to, Math.min(1, Math.max(0, share)));
    const away = euclidean.distance(point, mark.point);
    if (away < best.away) best = { ...mark, away };
  }
  return { point: best.point, at_m: best.at_m };
}

/** Where the two directions from a point meet a line. */
function acrossOn(corners: readonly Mark[], { x, y }: Point): Mark[] {
  return corners.slice(1).flatMap((to, at) => {
    const from = corners[at] ?? to;
    const [dx, dy] = [to.point.x - from.point.x, to.point.y - from.point.y];
    const shares = [(x - from.point.x) / dx, (y - from.point.y) / dy];
    return shares.filter((share) => share > 0 && share < 1).map((share) => between(from, to, share));
  });
}

function between(from: Mark, to: Mark, share: number): Mark {
  if (share === 0) return from;
  if (share === 1) return to;
  const mix = (a: number, b: number): number => a + share * (b - a);
  const point = { x: mix(from.point.x, to.point.x), y: mix(from.point.y, to.point.y) };
  return { point, at_m: mix(from.at_m, to.at_m) };
}

/** Whether a new line is free between two of its places; an existing pipe always is. */
function isOpen(corners: readonly Mark[], from: Mark, to: Mark, field: ObstacleField): boolean {
  const way = [from.point, ...cornersBetween(corners, from.at_m, to.at_m), to.point];
  return way.every(
    (point, at) =>
      !field.covers(point) && (at === 0 || field.clearWay(euclidean, way[at - 1] ?? point, point) !== undefined),
  );
}

function keyOf({ x, y }: Point): string {
  return `${x} ${y}`;
}
