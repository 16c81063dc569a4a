import { edgesOf } from './obstacle.ts';
import type { CheapLine } from './lines.ts';
import type { LaidWay } from './net.ts';
import { euclidean, type Point } from './plane.ts';
import type { Step } from './step.ts';

/** A place closer than this is on a pipe, m. */
const touching_m = 1e-6;

/**
 * Existing pipes are met from inside and outside of houses: they are cut where pipes meet on them, each stretch counts
 * once, and what leads to no terminal is left out.
 */
export function untangled(
  ways: readonly LaidWay[],
  terminals: readonly Point[],
  { lines, step }: { lines: readonly CheapLine[]; step: Step },
): LaidWay[] {
  const ends = [...terminals, ...ways.flatMap(({ way }) => [way[0], way.at(-1)])].filter((end) => end !== undefined);
  const cut = ways.flatMap((laid) => {
    step();
    return laid.line === null || lines[laid.line]?.weight !== 0 ? [laid] : legsOf(laid, ends);
  });
  return withoutStubs(withoutRings(cut), new Set(terminals.map(keyOf)));
}

/** Stretches between corners and the places where pipes meet. */
function legsOf({ way, line }: LaidWay, ends: readonly Point[]): LaidWay[] {
  return way.slice(1).flatMap((to, at) => {
    const from = way[at] ?? to;
    const length = euclidean.distance(from, to);
    const along = (point: Point): number => euclidean.distance(from, point);
    const met = ends.filter(
      (end) =>
        along(end) > touching_m &&
        euclidean.distance(end, to) > touching_m &&
        along(end) + euclidean.distance(end, to) - length < touching_m,
    );
    const stops = [from, ...met.toSorted((one, other) => along(one) - along(other)), to];
    return stops.slice(1).map((stop, order) => ({ way: [stops[order] ?? stop, stop], line }));
  });
}

/** Without stretches that join places already joined, including repeated ones. */
function withoutRings(ways: readonly LaidWay[]): LaidWay[] {
  const parents = new Map<string, string>();
  const rootOf = (key: string): string => {
    let root = key;
    for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up;
    return root;
  };
  return ways.filter(({ way }) => {
    const [a, b] = [way[0], way.at(-1)].map((end) => (end === undefined ? '' : rootOf(keyOf(end))));
    if (a === b || a === undefined || b === undefined) return false;
    parents.set(a, b);
    return true;
  });
}

function withoutStubs(ways: readonly LaidWay[], terminals: ReadonlySet<string>): LaidWay[] {
  const left = new Set(ways);
  const at = new Map<string, LaidWay[]>();
  const endsOf = ({ way }: LaidWay): string[] => [way[0], way.at(-1)].flatMap((end) => (end ? [keyOf(end)] : []));
  for (const one of ways) for (const end of endsOf(one)) at.set(end, [...(at.get(end) ?? []), one]);
  const open = [...at.keys()];
  for (let end = open.pop(); end !== undefined; end = open.pop()) {
    const [stub, more] = (at.get(end) ?? []).filter((one) => left.has(one));
    if (stub === undefined || more !== undefined || terminals.has(end)) continue;
    left.delete(stub);
    open.push(...endsOf(stub));
  }
  return ways.filter((one) => left.has(one));
}

/** Where a line crosses rings. */
export function crossings(points: readonly Point[], rings: readonly (readonly Point[])[]): Point[] {
  return points.slice(1).flatMap((to, at) => {
    const from = points[at] ?? to;
    return rings.flatMap(edgesOf).flatMap(([a, b]) => {
      const [dx, dy, ex, ey] = [to.x - from.x, to.y - from.y, b.x - a.x, b.y - a.y];
      const cross = dx * ey - dy * ex;
      const along = ((a.x - from.x) * ey - (a.y - from.y) * ex) / cross;
      const across = ((a.x - from.x) * dy - (a.y - from.y) * dx) / cross;
      const isMet = along >= 0 && along <= 1 && across >= 0 && across <= 1;
      return isMet ? [{ x: from.x + along * dx, y: from.y + along * dy }] : [];
    });
  });
}

function keyOf({ x, y }: Point): string {
  return `${x} ${y}`;
}
