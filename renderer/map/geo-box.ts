import type { Feature } from '../../server/contract/overlay.ts';

/** Degrees. */
export interface GeoBox {
  west: number;
  south: number;
  east: number;
  north: number;
}

/** The extent of a feature; its own position for a point. */
export function boxOf({ geometry }: Pick<Feature, 'geometry'>): GeoBox {
  const box = nowhere();
  extend(box, geometry.coordinates);
  return box;
}

type Nested = readonly (number | Nested)[];

/** By positions at any depth: 100,000 features are looked at before the first is drawn. */
function extend(box: GeoBox, coordinates: Nested): void {
  const [lng, lat] = coordinates;
  if (typeof lng === 'number' && typeof lat === 'number') take(box, lng, lat);
  else for (const inner of coordinates) if (typeof inner !== 'number') extend(box, inner);
}

function take(box: GeoBox, lng: number, lat: number): void {
  if (lng < box.west) box.west = lng;
  if (lng > box.east) box.east = lng;
  if (lat < box.south) box.south = lat;
  if (lat > box.north) box.north = lat;
}

/** The extent of nothing yet. */
export function nowhere(): GeoBox {
  return { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
}

/** Widens a box in place to hold another. */
export function widen(box: GeoBox, { west, south, east, north }: GeoBox): void {
  take(box, west, south);
  take(box, east, north);
}

/** The common extent of all positions of some lines. */
export function boxAround(lines: readonly (readonly (readonly number[])[])[]): GeoBox {
  const box = nowhere();
  for (const line of lines) for (const [lng = 0, lat = 0] of line) take(box, lng, lat);
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
