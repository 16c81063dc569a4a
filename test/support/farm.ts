import { expect } from 'vitest';
import { checkGeometry } from '../../server/domain/geometry/feature-geometry.ts';
import type { Geometry } from '../../server/contract/overlay.ts';
import { Plane, type Point } from '../../renderer/map/topology/plane.ts';
import { sizeOf } from '../../renderer/map/geodesy.ts';

export const plane = new Plane([127, 37.5]);

export type Corners = readonly (readonly [east_m: number, north_m: number])[];

/** An area with its rings in metres. */
export function area(...rings: Corners[]): Geometry {
  return {
    type: 'Polygon',
    coordinates: rings.map((ring) => [...ring, ring[0] ?? ([0, 0] as const)].map(([x, y]) => plane.position({ x, y }))),
  };
}

export function box(west: number, south: number, east: number, north: number): Corners {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ];
}

export function line(...corners: Corners): number[][] {
  return corners.map(([x, y]) => plane.position({ x, y }));
}

export function areaOf(geometry: Geometry): number {
  return sizeOf(geometry).area_m2 ?? 0;
}

export function pointsOf(geometry: Geometry): Point[] {
  return (geometry.coordinates as number[][][]).flat().map((position) => plane.point(position)); // of a Polygon
}

/** Throws if an operation had no result, or one that the service would refuse. */
export function taken<T extends Geometry>(result: T | string): T {
  if (typeof result === 'string') throw new Error(result);
  expect(checkGeometry(result, 'facility')).not.toHaveProperty('message');
  return result;
}
