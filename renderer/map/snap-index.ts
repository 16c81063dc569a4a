import Flatbush from 'flatbush';
import type { Feature } from '../../server/contract/overlay.ts';
import { idOf } from './edit-buffer.ts';
import { pathsOf, type Position } from './geometry.ts';

export interface Pixel {
  x: number;
  y: number;
}

/** Where positions are on the screen, without rounding. */
export interface Screen {
  toPixel(position: Position): Pixel;
  toPosition(pixel: Pixel): Position;
}

/** Sides between two rests of the work. */
const sidesAtOnce = 500;

const none: ReadonlySet<string> = new Set();

/**
 * Makes the index of these features with rests; `except` has the ids of shapes that are not met: those being changed.
 */
export function* snapIndexOf(features: Iterable<Feature>, except = none): Generator<void, SnapIndex> {
  const found: number[] = [];
  let rested = 0;
  for (const feature of features) {
    if (!except.has(idOf(feature))) for (const side of sidesOf(feature)) found.push(...side);
    if (found.length - rested < 4 * sidesAtOnce) continue;
    rested = found.length;
    yield;
  }
  const sides = Float64Array.from(found);
  const count = sides.length / 4;
  if (count === 0) return new SnapIndex(sides, undefined);
  const index = new Flatbush(count);
  for (let at = 0; at < count; at += 1) {
    const [ax = 0, ay = 0, bx = 0, by = 0] = sides.subarray(at * 4, at * 4 + 4);
    index.add(Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by));
    if (at % sidesAtOnce === 0) yield;
  }
  index.finish();
  return new SnapIndex(sides, index);
}

/** A corner pulls from further away than a side. */
const reach_px = { corner: 12, side: 8 };
/** Where more sides than this are near, the map is too far away to mean one of them. */
const mostNear = 2_000;

/**
 * Corners and sides of shapes, so that drawings can meet them exactly. leaflet-snap never got beyond 0.0.4 and
 * leaflet-geoman would replace leaflet-draw: only this search is needed.
 */
export class SnapIndex {
  /** Four numbers a side: longitude and latitude of its ends, which are one place for a point. */
  readonly #sides: Float64Array;
  readonly #index: Flatbush | undefined;

  constructor(sides: Float64Array, index: Flatbush | undefined) {
    this.#sides = sides;
    this.#index = index;
  }

  /** The nearest corner in reach of a place on the screen, else the nearest place of a side; null where neither is. */
  nearest(at: Pixel, screen: Screen): Pixel | null {
    const near = this.#near(at, screen);
    if (near.length > mostNear) return null;
    const ends = near.map((index) => {
      const [ax, ay, bx, by] = this.#side(index);
      return [screen.toPixel([ax, ay]), screen.toPixel([bx, by])] as const;
    });
    const corner = closest(ends.flat(), at, reach_px.corner);
    return (
      corner ??
      closest(
        ends.map(([a, b]) => footOf(at, a, b)),
        at,
        reach_px.side,
      )
    );
  }

  #near({ x, y }: Pixel, screen: Screen): number[] {
    const reach = reach_px.corner;
    const [west = 0, north = 0] = screen.toPosition({ x: x - reach, y: y - reach });
    const [east = 0, south = 0] = screen.toPosition({ x: x + reach, y: y + reach });
    return this.#index?.search(west, south, east, north) ?? [];
  }

  #side(index: number): [number, number, number, number] {
    const [ax = 0, ay = 0, bx = 0, by = 0] = this.#sides.subarray(index * 4, index * 4 + 4);
    return [ax, ay, bx, by];
  }
}

function sidesOf({ geometry }: Feature): number[][] {
  return pathsOf(geometry).flatMap(({ positions, isClosed }) =>
    positions.flatMap(([ax = 0, ay = 0], at) => {
      const next = positions[at + 1] ?? (isClosed || positions.length === 1 ? positions[0] : undefined);
      return next === undefined ? [] : [[ax, ay, next[0] ?? 0, next[1] ?? 0]];
    }),
  );
}

function closest(places: readonly Pixel[], { x, y }: Pixel, reach: number): Pixel | null {
  let found: Pixel | null = null;
  let least = reach;
  for (const place of places) {
    const distance = Math.hypot(place.x - x, place.y - y);
    if (distance <= least) [found, least] = [place, distance];
  }
  return found;
}

/** The place of segment ab that is nearest to p. */
function footOf(p: Pixel, a: Pixel, b: Pixel): Pixel {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const length2 = dx * dx + dy * dy;
  const share = length2 === 0 ? 0 : Math.min(1, Math.max(0, ((p.x - a.x) * dx + (p.y - a.y) * dy) / length2));
  return { x: a.x + share * dx, y: a.y + share * dy };
}
