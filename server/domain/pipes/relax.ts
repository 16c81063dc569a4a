import { edgeCost, pruned, type Ground, type Net } from './net.ts';
import type { Point } from './plane.ts';
import { neighboursOf, type Edge } from './spanning.ts';

const sweeps = 40;
/** A junction that moves less than this share of its pipes is at rest. */
const arrived = 1e-9;

/**
 * Moves each junction of three pipes to where they meet with the least length, in turn until all rest, as far as the
 * ways stay clear.
 */
export function relaxed(ground: Ground, net: Net): Net {
  const points = [...net.points];
  const neighbours = neighboursOf(points.length, net.edges);
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    let isMoving = false;
    for (let place = net.fixed; place < points.length; place += 1) {
      const moved = betterPlace(ground, points, { place, around: neighbours[place] ?? [] });
      if (moved === undefined) continue;
      points[place] = moved;
      isMoving = true;
    }
    if (!isMoving) break;
  }
  const edges = net.edges.map(({ a, b }): Edge => ({ a, b, length: between(ground, points[a], points[b]) }));
  return pruned(ground, { ...net, points, edges });
}

interface Place {
  place: number;
  around: readonly number[];
}

/** A better place for a junction; undefined when there is none, or it does not have three pipes. */
function betterPlace(ground: Ground, points: readonly Point[], { place, around }: Place): Point | undefined {
  const [a, b, c] = around.map((to) => points[to]);
  const now = points[place];
  if (around.length !== 3 || a === undefined || b === undefined || c === undefined || now === undefined)
    return undefined;
  const { metric, field, lines } = ground;
  if (lines?.has(now) === true) return undefined; // off its line it would cost more
  const point = metric.meeting(a, b, c);
  const lengthAt = (one: Point): number => metric.distance(one, a) + metric.distance(one, b) + metric.distance(one, c);
  const before = lengthAt(now);
  if (!(before - lengthAt(point) > arrived * before)) return undefined;
  const isClear = !field.covers(point) && [a, b, c].every((to) => field.clearWay(metric, point, to) !== undefined);
  return isClear ? point : undefined;
}

function between(ground: Ground, a: Point | undefined, b: Point | undefined): number {
  return a === undefined || b === undefined ? 0 : edgeCost(ground, a, b);
}
