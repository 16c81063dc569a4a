import type { Position } from './geometry.ts';
import { L } from './leaflet.ts';

/** Whether a rectangle spans fewer than `least_px` pixels of the screen one way: a hand that slipped, not a shape. */
export function isSlip(map: L.Map, corners: readonly Position[], least_px: number): boolean {
  const pixels = L.bounds(corners.map(([lng = 0, lat = 0]) => map.latLngToContainerPoint([lat, lng])));
  const { x, y } = pixels.getSize();
  return Math.min(x, y) < least_px;
}
