import type { Geometry } from '../../server/contract/overlay.ts';
import { pathsOf, type Path, type Position } from './geometry.ts';
import { positionsOf, withPositions } from './topology/plane.ts';

/** Degrees: what a file loses on its way through another program. */
const tolerance_deg = 1e-8;

/**
 * Whether two geometries have the same corners, wherever their rings begin and whichever way they go round; a line that
 * runs the other way is another flow. A part may be alone or the only one of several; altitudes do not count.
 */
export function isAlike(a: Geometry, b: Geometry): boolean {
  if (a.type.replace('Multi', '') !== b.type.replace('Multi', '')) return false;
  const [ours, theirs] = [pathsOf(a), pathsOf(b)];
  return ours.length === theirs.length && ours.every((path, at) => areSame(path, theirs[at] ?? path));
}

/** The geometry with the digits and altitudes that another has of the corners they share. */
export function withCornersOf(geometry: Geometry, other: Geometry): Geometry {
  const ours = positionsOf(other);
  return withPositions(geometry, (position) => ours.find((one) => isNear(one, position)) ?? position);
}

function areSame({ positions, isClosed }: Path, { positions: others }: Path): boolean {
  if (positions.length !== others.length) return false;
  const meets = (start: number, step: number): boolean => meetsFrom(positions, others, { start, step });
  if (!isClosed) return meets(0, 1);
  return [...others.keys()].some((start) => meets(start, 1) || meets(start, -1));
}

function meetsFrom(
  positions: readonly Position[],
  others: readonly Position[],
  { start, step }: { start: number; step: number },
): boolean {
  return positions.every((position, at) => isNear(position, others.at((start + step * at) % others.length) ?? []));
}

function isNear([ax = NaN, ay = NaN]: Position, [bx = NaN, by = NaN]: Position): boolean {
  return Math.abs(ax - bx) <= tolerance_deg && Math.abs(ay - by) <= tolerance_deg;
}
