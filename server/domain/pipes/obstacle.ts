import { EndType, inflatePathsD, JoinType } from 'clipper2-ts';
import Flatbush from 'flatbush';
import { orient2d } from 'robust-predicates';
import type { Metric, Point } from './plane.ts';

/** An area that no trench may cross. */
export interface Obstacle {
  /** Outer rings and holes, closed or not, in any direction. */
  rings: readonly (readonly Point[])[];
  /** Distance that pipes keep from it, m. */
  clearance_m: number;
}

/**
 * An obstacle with the area that pipes must not touch, and the line around it that they may follow; cached, as
 * offsetting takes long.
 */
export interface GrownObstacle extends Obstacle {
  guard: readonly Ring[];
  outline: readonly Ring[];
}

/** A ring of a guarded area. */
type Ring = readonly Point[];

interface Bends {
  corners: Point[];
  beside: number[][];
}

/** Pipes keep this much more distance than required, so that touching is clearly distinguished from crossing, m. */
const guard_m = 0.001;
/** How far outside the forbidden area its corners for pipes are, m. */
const skin_m = 0.002;
const outlineMargin_m = guard_m + skin_m;
/** Corners of offset areas are cut off beyond this many times the distance. */
const miterLimit = 2;
/** Decimals of a metre in offsetting. */
const precision = 5;

/**
 * Where pipes must not run. Each obstacle is grown twice: by its clearance and 1 mm, which no pipe may touch, and by 2
 * mm more, for the corners that pipes go around. So no pipe ever grazes what it is tested against.
 */
export class ObstacleField {
  readonly #obstacles: readonly GrownObstacle[];
  readonly #boxes: Flatbush | undefined;
  readonly #edges: readonly (readonly [Point, Point])[];
  readonly #edgeIndex: Flatbush | undefined;
  #bends: Bends | undefined;

  constructor(obstacles: readonly GrownObstacle[]) {
    this.#obstacles = obstacles;
    this.#boxes = indexOf(obstacles.map(({ guard }) => guard.flat()));
    this.#edges = obstacles.flatMap(({ guard }) => guard.flatMap(edgesOf));
    this.#edgeIndex = indexOf(this.#edges);
  }

  /** Where a shortest way around obstacles may bend. The corners of one ring are successive. */
  get corners(): readonly Point[] {
    return (this.#bends ??= this.#findBends()).corners;
  }

  /** By index in `corners`: the neighbouring corners on its ring. */
  get beside(): readonly (readonly number[])[] {
    return (this.#bends ??= this.#findBends()).beside;
  }

  get isEmpty(): boolean {
    return this.#edges.length === 0;
  }

  /** Whether a point is where no pipe may be. */
  covers(point: Point): boolean {
    return this.covering(point).length > 0;
  }

  /** The obstacles that exclude a point, by index. */
  covering(point: Point): number[] {
    const { x, y } = point;
    const boxes = this.#boxes?.search(x, y, x, y);
    return (boxes ?? []).filter((at) => isInside(point, this.#obstacles[at]?.guard ?? []));
  }

  /** The area of an obstacle with its clearance, m2. */
  area(at: number): number {
    return Math.abs((this.#obstacles[at]?.guard ?? []).reduce((sum, ring) => sum + signedArea(ring), 0));
  }

  /** The first of the shortest ways between two points outside that is clear; undefined when none is. */
  clearWay(metric: Metric, a: Point, b: Point): readonly Point[] | undefined {
    const ways = metric.ways(a, b);
    if (this.isEmpty) return ways[0];
    return ways.find((way) => way.every((from, at) => at === 0 || this.#isClear(way[at - 1] ?? from, from)));
  }

  #findBends(): Bends {
    const corners: Point[] = [];
    const beside: number[][] = [];
    for (const ring of this.#obstacles.flatMap(({ outline }) => outline)) {
      const first = corners.length;
      corners.push(...ring.filter((point) => !this.covers(point)));
      const count = corners.length - first;
      for (let at = 0; at < count; at += 1) {
        beside.push([first + ((at + 1) % count), first + ((at + count - 1) % count)]);
      }
    }
    return { corners, beside };
  }

  /** For ends that are not covered: if it meets no edge, the whole segment is outside. */
  #isClear(a: Point, b: Point): boolean {
    const [west, east] = a.x < b.x ? [a.x, b.x] : [b.x, a.x];
    const [south, north] = a.y < b.y ? [a.y, b.y] : [b.y, a.y];
    let isMet = false;
    this.#edgeIndex?.search(west, south, east, north, (at) => {
      const edge = this.#edges[at];
      if (!isMet && edge !== undefined) isMet = doMeet(a, b, edge);
      return false;
    });
    return !isMet;
  }
}

/** Whether a point is inside rings by the even-odd rule. */
export function isInside({ x, y }: Point, rings: readonly Ring[]): boolean {
  let inside = false;
  for (const ring of rings) {
    for (const [a, b] of edgesOf(ring)) {
      if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) inside = !inside;
    }
  }
  return inside;
}

/** The nearest point of an area's outline. */
export function nearestOnOutline(point: Point, rings: readonly Ring[]): Point | undefined {
  let best: { at: Point; distance: number } | undefined;
  for (const [a, b] of rings.flatMap(edgesOf)) {
    const at = footOn(point, a, b);
    const distance = Math.hypot(at.x - point.x, at.y - point.y);
    if (best === undefined || distance < best.distance) best = { at, distance };
  }
  return best?.at;
}

export function grown<Kind extends Obstacle>(obstacle: Kind): Kind & GrownObstacle {
  return { ...obstacle, guard: offset(obstacle, guard_m), outline: offset(obstacle, outlineMargin_m) };
}

/** Rings of an obstacle grown by its clearance and `more_m`. */
function offset({ rings, clearance_m }: Obstacle, more_m: number): Ring[] {
  const paths = inflatePathsD(
    oriented(rings).map((ring) => ring.map(({ x, y }) => ({ x, y }))),
    clearance_m + more_m,
    JoinType.Miter,
    EndType.Polygon,
    miterLimit,
    precision,
  );
  return paths.map((path) => path.map(({ x, y }) => ({ x, y })));
}

/** Outer rings counter-clockwise, holes clockwise: growing one shrinks the other. A ring inside another is a hole. */
function oriented(rings: readonly Ring[]): Ring[] {
  const open = rings.map(withoutClosing);
  return open.map((ring, index) => {
    const first = ring[0];
    const around = open.filter((other, at) => at !== index && first !== undefined && isInside(first, [other]));
    const isHole = around.length % 2 === 1;
    return signedArea(ring) > 0 === isHole ? ring.toReversed() : ring;
  });
}

function withoutClosing(ring: Ring): Ring {
  const [first, last] = [ring[0], ring.at(-1)];
  return ring.length > 1 && first?.x === last?.x && first?.y === last?.y ? ring.slice(0, -1) : ring;
}

function signedArea(ring: Ring): number {
  return edgesOf(ring).reduce((sum, [a, b]) => sum + (a.x * b.y - b.x * a.y) / 2, 0);
}

export function edgesOf(ring: Ring): (readonly [Point, Point])[] {
  return ring.map((point, at) => [point, ring[(at + 1) % ring.length] ?? point] as const);
}

function doMeet(a: Point, b: Point, [c, d]: readonly [Point, Point]): boolean {
  return areApart(a, b, c, d) && areApart(c, d, a, b);
}

/** Whether `p` and `q` are on different sides of the line through `a` and `b`, or on it. */
function areApart(a: Point, b: Point, p: Point, q: Point): boolean {
  const [one, other] = [orient2d(a.x, a.y, b.x, b.y, p.x, p.y), orient2d(a.x, a.y, b.x, b.y, q.x, q.y)];
  return (one >= 0 && other <= 0) || (one <= 0 && other >= 0);
}

/** The nearest point on the segment from `a` to `b`. */
export function footOn(point: Point, a: Point, b: Point): Point {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const square = dx * dx + dy * dy;
  const share = square === 0 ? 0 : ((point.x - a.x) * dx + (point.y - a.y) * dy) / square;
  const held = Math.min(1, Math.max(0, share));
  return { x: a.x + held * dx, y: a.y + held * dy };
}

/** undefined without groups. */
function indexOf(groups: readonly (readonly Point[])[]): Flatbush | undefined {
  if (groups.length === 0) return undefined;
  const index = new Flatbush(groups.length);
  for (const points of groups) {
    // Without spreading arguments: a coast has more corners than a call allows.
    const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
    for (const { x, y } of points) {
      box.west = Math.min(box.west, x);
      box.east = Math.max(box.east, x);
      box.south = Math.min(box.south, y);
      box.north = Math.max(box.north, y);
    }
    index.add(box.west, box.south, box.east, box.north);
  }
  index.finish();
  return index;
}
