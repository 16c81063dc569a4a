import type { Geometry } from '../../server/contract/overlay.ts';
import type { Position } from './geometry.ts';
import type { L } from './leaflet.ts';

export function positionOf(place: L.LatLng): Position {
  const { lat, lng } = place.wrap();
  // Nine digits are a tenth of a millimetre; more are noise in every file and save.
  return [Number(lng.toFixed(9)), Number(lat.toFixed(9))];
}

export function point(place: L.LatLng): Geometry {
  return { type: 'Point', coordinates: positionOf(place) };
}

/** A line along these corners. */
export function line(corners: Position[]): Geometry {
  return { type: 'LineString', coordinates: corners };
}

/** An outline whose ring runs counter-clockwise, as RFC 7946 asks. */
export function outline(corners: Position[]): Geometry {
  const turning = corners.reduce((sum, [x = 0, y = 0], index) => {
    const [nextX = 0, nextY = 0] = corners[(index + 1) % corners.length] ?? [];
    return sum + (nextX - x) * (nextY + y);
  }, 0);
  const ring = turning > 0 ? corners.toReversed() : corners;
  return { type: 'Polygon', coordinates: [[...ring, ring[0] ?? []]] };
}

export function rectangle([ax = 0, ay = 0]: Position, [bx = 0, by = 0]: Position): Position[] {
  return [
    [ax, ay],
    [bx, ay],
    [bx, by],
    [ax, by],
  ];
}
