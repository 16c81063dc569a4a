import { clearEdge, renumbered, type Ground, type Net } from './net.ts';
import { euclidean } from './plane.ts';
import type { Edge } from './spanning.ts';

/**
 * Shorter pipes are removed, m: what looks aligned is slightly off, and a centimetre between two tees cannot be laid.
 */
export const weld_m = 0.01;

/**
 * A net whose bends and junctions are no closer to the next place than can be laid: two tees become a cross. Served
 * places stay where they are.
 */
export function welded(ground: Ground, net: Net): Net {
  for (let now = net; ;) {
    const next = withoutOne(ground, now);
    if (next === undefined) return now;
    now = next;
  }
}

/** Removes the first pipe that is too short; undefined when none can be removed. */
function withoutOne(ground: Ground, net: Net): Net | undefined {
  const { points, fixed, edges } = net;
  for (const short of edges) {
    const [from, to] = [points[short.a], points[short.b]];
    if (from === undefined || to === undefined || euclidean.distance(from, to) >= weld_m) continue;
    for (const [gone, kept] of [
      [Math.max(short.a, short.b), Math.min(short.a, short.b)],
      [Math.min(short.a, short.b), Math.max(short.a, short.b)],
    ] as const) {
      const place = points[gone];
      if (gone < fixed || place === undefined || ground.lines?.has(place) === true) continue;
      const left = merged(ground, net, { short, gone, kept });
      if (left !== undefined) return renumbered({ ...net, edges: left });
    }
  }
  return undefined;
}

/** Redirects the pipes of a place to the one beside it; undefined when one of them is not clear. */
function merged(
  ground: Ground,
  { points, edges }: Net,
  { short, gone, kept }: { short: Edge; gone: number; kept: number },
): Edge[] | undefined {
  const left: Edge[] = [];
  for (const edge of edges) {
    if (edge === short) continue;
    const isMoved = edge.a === gone || edge.b === gone;
    const now = isMoved ? clearEdge(ground, points, [kept, edge.a === gone ? edge.b : edge.a]) : edge;
    if (now === undefined) return undefined;
    left.push(now);
  }
  return left;
}
