import { WaysAround } from './around.ts';
import { clearEdge, edgeCost, type Ground, type Net } from './net.ts';
import type { Edge } from './spanning.ts';
import { neighboursOf } from './spanning.ts';

/**
 * Leads pipes through the places that they should pass: if a stub would end at one, a pipe beside it goes through it
 * instead.
 */
export function passed(ground: Ground, net: Net, passing: readonly number[]): Net {
  return passing.reduce((found, place) => throughPlace(ground, found, place), net);
}

function throughPlace(ground: Ground, net: Net, place: number): Net {
  const [root, ...more] = neighboursOf(net.points.length, net.edges)[place] ?? [];
  if (root === undefined || more.length > 0) return net;
  const [here, there] = [net.points[place], net.points[root]];
  const ends = (neighboursOf(net.points.length, net.edges)[root] ?? []).filter((one) => one !== place);
  const detour = (one: number): number => {
    const to = net.points[one];
    if (to === undefined || here === undefined || there === undefined) return Infinity;
    return edgeCost(ground, here, to) - edgeCost(ground, there, to);
  };
  const [near, next] = ends.toSorted((one, other) => detour(one) - detour(other));
  if (near === undefined) return net;
  // A junction that only serves the stub is removed; at a device, or where more pipes meet, the stub stays as the
  // connection.
  const isFreed = root >= net.fixed && ends.length === 2 && next !== undefined;
  const cut = new Set(isFreed ? [near, next, place] : [near]);
  const kept = net.edges.filter(({ a, b }) => !((a === root && cut.has(b)) || (b === root && cut.has(a))));
  return (
    [near, ...(isFreed ? [next] : [])].reduce<Net | undefined>(
      (found, to) => found && withWay(ground, found, [place, to]),
      { ...net, edges: kept },
    ) ?? net
  );
}

/** A net with one more pipe, around obstacles; undefined when there is no way. */
function withWay(ground: Ground, net: Net, [a, b]: readonly [number, number]): Net | undefined {
  const direct = clearEdge(ground, net.points, [a, b]);
  if (direct !== undefined) return { ...net, edges: [...net.edges, direct] };
  const [from, to] = [net.points[a], net.points[b]];
  const way = from && to && new WaysAround(ground).find(from, to);
  if (way === undefined) return undefined;
  const bends = way.slice(1, -1);
  const points = [...net.points, ...bends];
  const order = [a, ...bends.map((_, at) => net.points.length + at), b];
  const edges = order.slice(1).map((to, at): Edge => {
    const before = order[at] ?? a;
    const [p, q] = [points[before], points[to]];
    return { a: before, b: to, length: p && q ? edgeCost(ground, p, q) : 0 };
  });
  return { ...net, points, edges: [...net.edges, ...edges] };
}
