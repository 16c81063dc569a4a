import type { Geometry } from '../../../server/contract/overlay.ts';
import type { Position } from '../geometry.ts';
import { extentOf, positionsOf, withPositions, type Plane, type Point } from './plane.ts';

const radians = Math.PI / 180;

/** East and north, m. */
export function moved(geometry: Geometry, by: Point, plane: Plane): Geometry {
  return by.x === 0 && by.y === 0 ? geometry : inPlane(geometry, plane, ({ x, y }) => ({ x: x + by.x, y: y + by.y }));
}

/** Clockwise, degrees. */
export function rotated(geometry: Geometry, angle_deg: number, { pivot, plane }: About): Geometry {
  const turn = turning(angle_deg);
  return angle_deg % 360 === 0
    ? geometry
    : inPlane(geometry, plane, (point) => added(pivot, turn(minus(point, pivot))));
}

/** `axis_deg`: the direction of `along`, clockwise from north. */
export function scaled(
  geometry: Geometry,
  { along, across, axis_deg }: { along: number; across: number; axis_deg: number },
  { pivot, plane }: About,
): Geometry {
  const [toAxis, back] = [turning(-axis_deg), turning(axis_deg)];
  return inPlane(geometry, plane, (point) => {
    const { x, y } = toAxis(minus(point, pivot));
    return added(pivot, back({ x: x * across, y: y * along }));
  });
}

export interface About {
  pivot: Point;
  plane: Plane;
}

export interface Grid {
  /** Houses side by side, and one behind the other; 1 or more. */
  across: number;
  along: number;
  /** Between two of them, m. */
  gap_across_m: number;
  gap_along_m: number;
  /** Direction of `along`, degrees clockwise from north. */
  axis_deg: number;
}

/** How far each copy lies from the first, row by row, the first (0, 0) left out; m. */
export function gridOffsets(geometries: readonly Geometry[], grid: Grid, plane: Plane): Point[] {
  const toAxis = turning(-grid.axis_deg);
  const points = geometries.flatMap(positionsOf).map((position) => toAxis(plane.point(position)));
  const [west, east] = extentOf(points.map(({ x }) => x));
  const [south, north] = extentOf(points.map(({ y }) => y));
  const step = { x: east - west + grid.gap_across_m, y: north - south + grid.gap_along_m };
  const back = turning(grid.axis_deg);
  return Array.from({ length: grid.across * grid.along }, (_, at) =>
    back({ x: (at % grid.across) * step.x, y: Math.floor(at / grid.across) * step.y }),
  ).slice(1);
}

/** The middle of the box about what these span, where a hand takes hold of them. */
export function middleOf(geometries: readonly Geometry[], plane: Plane): Point {
  const points = geometries.flatMap(positionsOf).map((position) => plane.point(position));
  const [west, east] = extentOf(points.map(({ x }) => x));
  const [south, north] = extentOf(points.map(({ y }) => y));
  return { x: (west + east) / 2, y: (south + north) / 2 };
}

/** Degrees clockwise from north, 0 to below 360. */
export function bearing(from: Point, to: Point): number {
  const angle = Math.atan2(to.x - from.x, to.y - from.y) / radians;
  return (angle + 360) % 360;
}

/** The place so far away in a direction, degrees clockwise from north. */
export function placeAt(
  from: Position,
  { length_m, bearing_deg }: { length_m: number; bearing_deg: number },
  plane: Plane,
): Position {
  return plane.position(added(plane.point(from), turning(bearing_deg)({ x: 0, y: length_m })));
}

/**
 * The place nearest to `wanted` on a line through `from` that is square to the side before it, or runs on along it;
 * without such a side to the north.
 */
export function squared(wanted: Point, from: Point, before: Point | undefined): Point {
  const axis = before === undefined ? 0 : bearing(before, from);
  const { x, y } = turning(-axis)(minus(wanted, from));
  return added(from, turning(axis)(Math.abs(x) > Math.abs(y) ? { x, y: 0 } : { x: 0, y }));
}

function inPlane(geometry: Geometry, plane: Plane, change: (point: Point) => Point): Geometry {
  return withPositions(geometry, (position) => plane.position(change(plane.point(position))));
}

function turning(angle_deg: number): (point: Point) => Point {
  const [sine, cosine] = [Math.sin(angle_deg * radians), Math.cos(angle_deg * radians)];
  return ({ x, y }) => ({ x: x * cosine + y * sine, y: y * cosine - x * sine });
}

function added(a: Point, b: Point): Point {
  return { x: a.x + b.x, y: a.y + b.y };
}

function minus(a: Point, b: Point): Point {
  return { x: a.x - b.x, y: a.y - b.y };
}
