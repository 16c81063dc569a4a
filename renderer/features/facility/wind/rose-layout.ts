import type { Face, WindOpening } from '../../../../server/contract/facility.ts';

/** A sector of the rose, and whether the wind is in it. */
export interface Sector {
  direction_deg: number;
  path: string;
}

export interface Point {
  x: number;
  y: number;
}

/** The position of a compass direction at a distance from the centre; north is up. */
export function polar(direction_deg: number, distance: number): Point {
  const angle = (direction_deg * Math.PI) / 180;
  return { x: distance * Math.sin(angle), y: -distance * Math.cos(angle) };
}

/** A sector for each direction, from `inner` towards `outer` in proportion to its value over the largest. */
export function sectors(
  directions_deg: readonly number[],
  values: readonly number[],
  { inner, outer }: { inner: number; outer: number },
): Sector[] {
  const half = 180 / directions_deg.length;
  const largest = Math.max(...values, Number.MIN_VALUE);
  return directions_deg.map((direction_deg, index) => {
    const reach = inner + ((outer - inner) * (values[index] ?? 0)) / largest;
    const [from, to] = [direction_deg - half * 0.92, direction_deg + half * 0.92];
    return { direction_deg, path: sectorPath(from, to, { inner, reach }) };
  });
}

function sectorPath(from: number, to: number, { inner, reach }: { inner: number; reach: number }): string {
  const at = (direction: number, distance: number): string => {
    const { x, y } = polar(direction, distance);
    return `${x.toFixed(2)} ${y.toFixed(2)}`;
  };
  const outside = `A ${reach} ${reach} 0 0 1 ${at(to, reach)}`;
  return `M ${at(from, inner)} L ${at(from, reach)} ${outside} L ${at(to, inner)} A ${inner} ${inner} 0 0 0 ${at(from, inner)} Z`;
}

/** The plan of a house, front up, in a circle of the given radius. */
export function planIn(radius: number, size: { width_m: number; length_m: number }): { width: number; length: number } {
  const scale = (2 * radius) / Math.hypot(size.width_m, size.length_m);
  return { width: size.width_m * scale, length: size.length_m * scale };
}

/**
 * An arrow at an opening on the plan, front up: in the direction of the air, its width by its share of the largest
 * flow.
 */
export interface OpeningArrow extends Point {
  id: string;
  /** Where it points, degrees clockwise from the front. */
  turn_deg: number;
  direction: WindOpening['direction'];
  /** 0.4 to 1. */
  size: number;
}

/** The position of a face on the plan, in halves of its width and length, and its outward direction. */
const facePlaces: Record<Face, Point & { out_deg: number }> = {
  front: { x: 0, y: -1, out_deg: 0 },
  right: { x: 1, y: 0, out_deg: 90 },
  back: { x: 0, y: 1, out_deg: 180 },
  left: { x: -1, y: 0, out_deg: 270 },
  roof_right: { x: 0.5, y: 0, out_deg: 90 },
  roof_left: { x: -0.5, y: 0, out_deg: 270 },
  ridge: { x: 0, y: 0, out_deg: 0 },
};

/** Arrows of all openings; those of one face are side by side along it. */
export function openingArrows(
  openings: readonly Pick<WindOpening, 'id' | 'face' | 'direction' | 'flow_m3h' | 'exchange_m3h'>[],
  plan: { width: number; length: number },
): OpeningArrow[] {
  const flowOf = (one: (typeof openings)[number]): number => Math.abs(one.flow_m3h) + one.exchange_m3h;
  const largest = Math.max(...openings.map(flowOf), Number.MIN_VALUE);
  return openings.map((one) => {
    const place = facePlaces[one.face];
    const beside = openings.filter(({ face }) => face === one.face);
    const along = (beside.indexOf(one) + 0.5) / beside.length - 0.5;
    const isEnd = one.face === 'front' || one.face === 'back';
    return {
      id: one.id,
      x: (place.x * plan.width) / 2 + (isEnd ? along * plan.width : 0),
      y: (place.y * plan.length) / 2 + (isEnd ? 0 : along * plan.length),
      turn_deg: (place.out_deg + (one.direction === 'in' ? 180 : 0)) % 360,
      direction: one.direction,
      size: 0.4 + (0.6 * flowOf(one)) / largest,
    };
  });
}
