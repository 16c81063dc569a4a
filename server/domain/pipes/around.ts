import Flatbush from 'flatbush';
import FlatQueue from 'flatqueue';
import type { Ground } from './net.ts';
import type { Point } from './plane.ts';

/** Nearest corners that a way may go to next; those of the same area are added. */
const nearCorners = 48;

/**
 * Ways around obstacles by their corners: A* (Hart, Nilsson & Raphael 1968) over the visibility graph, whose edges are
 * found as needed.
 */
export class WaysAround {
  readonly #ground: Ground;
  #index: Flatbush | undefined;
  /** By corner: those to which it has a clear way. */
  readonly #seen = new Map<number, readonly number[]>();

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  /** Made with the first way that is not straight. */
  get #corners(): Flatbush | undefined {
    const { corners } = this.#ground.field;
    if (this.#index !== undefined || corners.length === 0) return this.#index;
    this.#index = new Flatbush(corners.length);
    for (const { x, y } of corners) this.#index.add(x, y);
    this.#index.finish();
    return this.#index;
  }

  /** The bends of the shortest way from one place to another, both ends included; undefined when there is none. */
  find(from: Point, to: Point): readonly Point[] | undefined {
    const { metric, field } = this.#ground;
    if (field.clearWay(metric, from, to) !== undefined) return [from, to];
    const { corners } = field;
    const open = new FlatQueue<number>();
    const reached = new Map<number, { length: number; by: number }>();
    const reach = (place: number, length: number, by: number): void => {
      if (length >= (reached.get(place)?.length ?? Infinity)) return;
      reached.set(place, { length, by });
      const left = place === goal ? 0 : metric.distance(corners[place] ?? to, to);
      open.push(place, length + left);
    };
    for (const place of this.#seenFrom(from)) reach(place, metric.distance(from, corners[place] ?? from), start);
    const done = new Set<number>();
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (place === goal) return wayBack(reached, { from, to, corners });
      const corner = corners[place];
      if (done.has(place) || corner === undefined) continue;
      done.add(place);
      const length = reached.get(place)?.length ?? 0;
      if (field.clearWay(metric, corner, to) !== undefined) reach(goal, length + metric.distance(corner, to), place);
      for (const next of this.#seenFromCorner(place)) {
        reach(next, length + metric.distance(corner, corners[next] ?? corner), place);
      }
    }
    return undefined;
  }

  #seenFromCorner(place: number): readonly number[] {
    const known = this.#seen.get(place);
    const corner = this.#ground.field.corners[place];
    if (known !== undefined || corner === undefined) return known ?? [];
    const found = this.#seenFrom(corner, this.#ground.field.beside[place]).filter((other) => other !== place);
    this.#seen.set(place, found);
    return found;
  }

  #seenFrom(point: Point, more: readonly number[] = []): number[] {
    const { metric, field } = this.#ground;
    const near = new Set([...(this.#corners?.neighbors(point.x, point.y, nearCorners) ?? []), ...more]);
    return [...near].filter((place) => field.clearWay(metric, point, field.corners[place] ?? point) !== undefined);
  }
}

const start = -1;
const goal = -2;

interface Ends {
  from: Point;
  to: Point;
  corners: readonly Point[];
}

function wayBack(reached: ReadonlyMap<number, { by: number }>, { from, to, corners }: Ends): Point[] {
  const way = [to];
  for (let place = reached.get(goal)?.by ?? start; place !== start; place = reached.get(place)?.by ?? start) {
    way.push(corners[place] ?? to);
  }
  return [...way, from].reverse();
}
