import geographic from 'geographiclib-geodesic';
import type { Geometry } from '../../server/contract/overlay.ts';
import { pathsOf, type Path, type Position } from './geometry.ts';

const circleCorners = 60;

export interface Size {
  /** Enclosed area without holes, in m2; null for lines and points. */
  area_m2: number | null;
  /** Perimeter of the outlines, or length of the lines, in m; null for points. */
  length_m: number | null;
}

/**
 * Size on the WGS84 ellipsoid: geodesic sides, exact to about 0.1 m2 for any polygon (Karney, Algorithms for geodesics,
 * J. Geodesy 87, 2013).
 */
export function sizeOf(geometry: Geometry): Size {
  const paths = pathsOf(geometry).filter((path) => path.positions.length > 1);
  if (paths.length === 0) return { area_m2: null, length_m: null };
  const measured = paths.map((path) => ({ path, ...measure(path) }));
  const length_m = sum(measured.filter(({ path }) => path.ring === 0).map((one) => one.perimeter));
  if (!paths.some((path) => path.isClosed)) return { area_m2: null, length_m };
  return { area_m2: sum(measured.map(({ path, area }) => (path.ring === 0 ? area : -area))), length_m };
}

/** Length along these positions, in m. */
export function lengthOf(positions: readonly Position[]): number {
  return sizeOf({ type: 'LineString', coordinates: [...positions] }).length_m ?? 0;
}

/**
 * A circle about a centre through another place, as an outline of so many corners on it: its area is 0.2 % short of the
 * circle's.
 */
export function circle([lng = 0, lat = 0]: Position, [throughLng = 0, throughLat = 0]: Position): Position[] {
  const { WGS84 } = geographic.Geodesic;
  const { s12: radius_m = 0 } = WGS84.Inverse(lat, lng, throughLat, throughLng);
  return Array.from({ length: circleCorners }, (_, index) => {
    const { lat2 = lat, lon2 = lng } = WGS84.Direct(lat, lng, 90 - (index * 360) / circleCorners, radius_m);
    return [Number(lon2.toFixed(9)), Number(lat2.toFixed(9))];
  });
}

/** A rectangle about a centre whose long sides run from north to south, as a closed ring. */
export function rectangleAround({ lat, lng }: { lat: number; lng: number }, size: RectangleSize): Position[] {
  const { WGS84 } = geographic.Geodesic;
  const half = { across_m: size.width_m / 2, along_m: size.length_m / 2 };
  const { lat2: north = lat } = WGS84.Direct(lat, lng, 0, half.along_m);
  const { lat2: south = lat } = WGS84.Direct(lat, lng, 180, half.along_m);
  const { lon2: east = lng } = WGS84.Direct(lat, lng, 90, half.across_m);
  const west = 2 * lng - east;
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}

interface RectangleSize {
  width_m: number;
  length_m: number;
}

/** Size of an outline while it is drawn, its last side to the first corner included. */
export function sizeOfOutline(positions: Position[]): Size {
  return sizeOf({ type: 'Polygon', coordinates: [[...positions, positions[0] ?? []]] });
}

function measure(path: Path): { area: number; perimeter: number } {
  const polygon = geographic.Geodesic.WGS84.Polygon(!path.isClosed);
  for (const [longitude = 0, latitude = 0] of path.positions) polygon.AddPoint(latitude, longitude);
  // Signed, so that the direction of the ring does not turn it inside out.
  const { area = 0, perimeter } = polygon.Compute(false, true);
  return { area: Math.abs(area), perimeter };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
