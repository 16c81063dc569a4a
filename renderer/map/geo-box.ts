import type { Feature } from '../../server/contract/overlay.ts';
import { pathsOf } from './geometry.ts';

/** Degrees. */
export interface GeoBox {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** What a feature covers; its own place for a point. */
export function boxOf({ geometry }: Feature): GeoBox {
  return boxAround(pathsOf(geometry).flatMap(({ positions, ring }) => (ring > 0 ? [] : [positions])));
}

/** What all positions of some lines cover together. */
export function boxAround(lines: readonly (readonly (readonly number[])[])[]): GeoBox {
  const box = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  for (const line of lines) {
    for (const [lng = 0, lat = 0] of line) {
      box.west = Math.min(box.west, lng);
      box.east = Math.max(box.east, lng);
      box.south = Math.min(box.south, lat);
      box.north = Math.max(box.north, lat);
    }
  }
  return box;
}

export function meets(a: GeoBox, b: GeoBox): boolean {
  return a.west <= b.east && a.east >= b.west && a.south <= b.north && a.north >= b.south;
}

export function holds(outer: GeoBox, inner: GeoBox): boolean {
  return (
    outer.west <= inner.west && outer.east >= inner.east && outer.south <= inner.south && outer.north >= inner.north
  );
}
