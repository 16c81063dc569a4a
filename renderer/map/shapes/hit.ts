import type { Geometry } from '../../../server/contract/overlay.ts';
import { mercatorX, mercatorY } from '../mercator.ts';
import { kindOf, ringsOf, shapeKinds } from './packed-shapes.ts';

/**
 * Whether a place lies in an area, holes left out, or within reach of an outline, line or point; `scale` is the width
 * of the world in px.
 */
export function isHit(
  geometry: Geometry,
  { lng, lat }: { lng: number; lat: number },
  { scale, reach_px }: { scale: number; reach_px: number },
): boolean {
  const kind = kindOf(geometry);
  const [x, y] = [mercatorX(lng), mercatorY(lat)];
  let isInside = false;
  for (const ring of ringsOf(geometry)) {
    let [ax, ay] = [NaN, NaN];
    for (const [lngOf = 0, latOf = 0] of ring) {
      const [bx, by] = [(mercatorX(lngOf) - x) * scale, (mercatorY(latOf) - y) * scale];
      const distance = kind === shapeKinds.points ? Math.hypot(bx, by) : distanceTo([ax, ay], [bx, by]);
      if (distance <= reach_px) return true;
      if (ay > 0 !== by > 0 && ax - (ay / (by - ay)) * (bx - ax) > 0) isInside = !isInside;
      [ax, ay] = [bx, by];
    }
  }
  return isInside && kind === shapeKinds.area;
}

/** From the origin to side ab; NaN where there is no a. */
function distanceTo([ax, ay]: [number, number], [bx, by]: [number, number]): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length2 = dx * dx + dy * dy;
  const share = length2 === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length2));
  return Math.hypot(ax + share * dx, ay + share * dy);
}
