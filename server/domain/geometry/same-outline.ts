import type { Geometry } from '../../contract/overlay.ts';
import { polygonsOf } from './polygons.ts';

type Ring = readonly (readonly number[])[];

/**
 * Whether two areas have the same corners within a tolerance in degrees, wherever their rings begin and in either
 * direction. Other geometries are never the same.
 */
export function isSameOutline(one: Geometry, other: Geometry, tolerance_deg: number): boolean {
  const [mine, theirs] = [polygonsOf(one), polygonsOf(other)];
  return mine.length > 0 && pairUp(mine, theirs, (a, b) => pairUp(a, b, (c, d) => isSameRing(c, d, tolerance_deg)));
}

/** Whether each item of one list has its own partner in the other. */
function pairUp<T>(mine: readonly T[], theirs: readonly T[], isSame: (a: T, b: T) => boolean): boolean {
  if (mine.length !== theirs.length) return false;
  const left = [...theirs];
  return mine.every((one) => {
    const at = left.findIndex((other) => isSame(one, other));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function isSameRing(one: Ring, other: Ring, tolerance_deg: number): boolean {
  const [mine, theirs] = [one.slice(0, -1), other.slice(0, -1)];
  if (mine.length !== theirs.length) return false;
  const backwards = theirs.toReversed();
  return mine.some((_, begin) => [theirs, backwards].some((ring) => fits(mine, ring, { begin, tolerance_deg })));
}

function fits(mine: Ring, ring: Ring, { begin, tolerance_deg }: { begin: number; tolerance_deg: number }): boolean {
  return ring.every((position, index) => {
    const partner = mine[(begin + index) % mine.length];
    return [0, 1].every((axis) => Math.abs((position[axis] ?? NaN) - (partner?.[axis] ?? NaN)) <= tolerance_deg);
  });
}
