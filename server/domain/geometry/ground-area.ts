import geographic from 'geographiclib-geodesic';
import type { Geometry } from '../../contract/overlay.ts';
import { polygonsOf, type Rings } from './polygons.ts';

/**
 * Enclosed area without holes, m2, on the WGS84 ellipsoid: geodesic sides, exact to about 0.1 m2 for any polygon
 * (Karney, Algorithms for geodesics, J. Geodesy 87, 2013). null when it encloses nothing.
 */
export function groundArea_m2(geometry: Geometry): number | null {
  const polygons = polygonsOf(geometry);
  if (polygons.length === 0) return null;
  return polygons.reduce((sum, rings) => sum + areaOf(rings), 0);
}

/**
 * Middle of the box around a shape, degrees; null when it encloses nothing. A shape across the antimeridian has none.
 */
export function middleOf(geometry: Geometry): { lat: number; lng: number } | null {
  const positions = polygonsOf(geometry).flatMap((rings) => rings[0] ?? []);
  if (positions.length === 0) return null;
  const [lng, lat] = [0, 1].map((axis) => middle(positions.map((position) => position[axis] ?? 0)));
  return lat === undefined || lng === undefined ? null : { lat, lng };
}

function areaOf(rings: Rings): number {
  return rings.reduce((sum, ring, index) => sum + (index === 0 ? ringArea(ring) : -ringArea(ring)), 0);
}

function ringArea(ring: Rings[number]): number {
  const polygon = geographic.Geodesic.WGS84.Polygon(false);
  for (const [lng = 0, lat = 0] of ring) polygon.AddPoint(lat, lng);
  // Signed, so that the direction of the ring does not turn it inside out.
  return Math.abs(polygon.Compute(false, true).area ?? 0);
}

function middle(values: readonly number[]): number {
  const [low, high] = values.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, -Infinity]);
  return (low + high) / 2;
}
