import { edgesOf, nearestOnOutline, type GrownObstacle, type ObstacleField } from './obstacle.ts';
import type { Metric, Point } from './plane.ts';

interface GateTask {
  metric: Metric;
  /** All obstacles of the outside. */
  field: ObstacleField;
  /** The outline that the pipe passes. */
  barrier: GrownObstacle;
  /** The places inside it. */
  members: readonly Point[];
  /** Whether the members are outside the walls, so that a pipe goes straight out instead of through. */
  isBeside: boolean;
  /** The places elsewhere. */
  others: readonly Point[];
}

/** Maximum members and others considered: with more of them a gate hardly moves. */
const most = 60;

/** Factor for a way inside beside a wall, as the straight continuation may lead through the house. */
const straightOut = 1000;

/**
 * The best place for a pipe to leave an area: on the line around it, with the shortest way from a member to it and on
 * to what is nearest outside. undefined when other obstacles cover the whole line.
 */
export function gateOf({ metric, field, barrier, members, others, isBeside }: GateTask): Point | undefined {
  const rings = barrier.outline;
  const inner = members.slice(0, most);
  const outer = nearestTo(inner[0], others).slice(0, most);
  const gates = [...rings.flat(), ...inner.flatMap((member) => outlets(member, rings))];
  let best: { gate: Point; length: number } | undefined;
  const least = (gate: Point, points: readonly Point[]): number =>
    points.reduce((low, point) => Math.min(low, metric.distance(gate, point)), Infinity);
  for (const gate of gates) {
    const length = (isBeside ? straightOut : 1) * least(gate, inner) + least(gate, outer);
    if (length < (best?.length ?? Infinity) && !field.covers(gate)) best = { gate, length };
  }
  return best?.gate;
}

/** Straight out: to the nearest point of the outline, and along the four directions. */
function outlets(from: Point, rings: readonly (readonly Point[])[]): Point[] {
  const nearest = nearestOnOutline(from, rings);
  const hits = rings.flatMap(edgesOf).flatMap(([a, b]) => {
    const across = at(from.y, a.y, b.y, a.x, b.x);
    const along = at(from.x, a.x, b.x, a.y, b.y);
    return [
      ...(across === undefined ? [] : [{ x: across, y: from.y }]),
      ...(along === undefined ? [] : [{ x: from.x, y: along }]),
    ];
  });
  return [...(nearest === undefined ? [] : [nearest]), ...hits];
}

/** Where an edge from (u0, v0) to (u1, v1) is at u; undefined outside it. */
function at(u: number, u0: number, u1: number, v0: number, v1: number): number | undefined {
  if (u0 > u === u1 > u) return undefined;
  return v0 + ((u - u0) / (u1 - u0)) * (v1 - v0);
}

function nearestTo(point: Point | undefined, others: readonly Point[]): Point[] {
  if (point === undefined) return [...others];
  const away = (one: Point): number => Math.hypot(one.x - point.x, one.y - point.y);
  return others.toSorted((one, other) => away(one) - away(other));
}
