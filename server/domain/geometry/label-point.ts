import polylabel from 'polylabel';
import type { Geometry } from '../../contract/overlay.ts';
import { groundArea_m2 } from './ground-area.ts';
import { polygonsOf, type Rings } from './polygons.ts';

/** Precision of the point, degrees of latitude: 0.1 m. */
const precision_deg = 1e-6;

/**
 * The point inside an area that is farthest from its outline (Mapbox polylabel), where a label belongs: also correct
 * for a house with a yard. Of several areas the largest counts; null when it encloses nothing.
 */
export function labelPoint(geometry: Geometry): { lat: number; lng: number } | null {
  const [largest] = polygonsOf(geometry).toSorted((one, other) => areaOf(other) - areaOf(one));
  const lat = largest?.[0]?.[0]?.[1];
  if (largest === undefined || lat === undefined) return null;
  const shrink = Math.max(1e-6, Math.cos((lat * Math.PI) / 180)); // degrees of longitude are shorter
  const rings = largest.map((ring) => ring.map(([x = 0, y = 0]): [number, number] => [x * shrink, y]));
  const [x, y] = polylabel(rings, precision_deg);
  return { lng: x / shrink, lat: y };
}

function areaOf(polygon: Rings): number {
  return groundArea_m2({ type: 'Polygon', coordinates: polygon.map((ring) => ring.map((at) => [...at])) }) ?? 0;
}
