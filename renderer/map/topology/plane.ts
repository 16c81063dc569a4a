import proj4 from 'proj4';
import type { Geometry } from '../../../server/contract/overlay.ts';
import { pathsOf, type Position } from '../geometry.ts';

export interface Point {
  /** East of the origin, m. */
  x: number;
  /** North of it, m. */
  y: number;
}

interface Projection {
  forward(degrees: [number, number]): number[];
  inverse(metres: [number, number]): number[];
}

/** Nine digits of a degree are a tenth of a millimetre. */
const digits = 9;

/**
 * Metres about a place: a transverse Mercator on WGS 84 through it. Angles are true; lengths are true to 1e-6 within 9
 * km, and there and back again is exact to 1e-9 degrees.
 */
export class Plane {
  readonly #projection: Projection;
  readonly #lng: number;

  constructor([lng = 0, lat = 0]: Position) {
    // Shapes on both sides of the 180th meridian would lie an earth apart: longitudes are taken relative to the
    // origin's.
    this.#lng = lng;
    this.#projection = proj4(`+proj=tmerc +lat_0=${lat} +lon_0=0 +k=1 +datum=WGS84 +units=m`);
  }

  /** About the middle of what these geometries span. */
  static around(geometries: readonly Geometry[]): Plane {
    const positions = geometries.flatMap(positionsOf);
    const middle = (axis: 0 | 1): number => {
      const [least, most] = extentOf(positions.map((position) => position[axis] ?? 0));
      return (least + most) / 2;
    };
    return new Plane([middle(0), middle(1)]);
  }

  point([lng = 0, lat = 0]: Position): Point {
    const [x = NaN, y = NaN] = this.#projection.forward([lng - this.#lng, lat]);
    return { x, y };
  }

  position({ x, y }: Point): Position {
    const [lng = NaN, lat = NaN] = this.#projection.inverse([x, y]);
    return [round(lng + this.#lng), round(lat)];
  }
}

export function positionsOf(geometry: Geometry): Position[] {
  return pathsOf(geometry).flatMap(({ positions }) => positions);
}

/** The geometry with each position replaced. Altitudes stay where no other is given. */
export function withPositions(geometry: Geometry, replace: (position: Position) => Position): Geometry {
  const map = (value: unknown): unknown => {
    if (!Array.isArray(value)) return value;
    if (Array.isArray(value[0])) return value.map(map);
    const position = value as Position; // the innermost lists of a geometry are positions
    const replaced = replace(position);
    return [...replaced, ...position.slice(replaced.length)];
  };
  return { ...geometry, coordinates: map(geometry.coordinates) } as Geometry; // nested as before
}

export function extentOf(values: readonly number[]): [least: number, most: number] {
  return values.reduce<[number, number]>(
    ([least, most], one) => [Math.min(least, one), Math.max(most, one)],
    [Infinity, -Infinity],
  );
}

function round(degrees: number): number {
  return Number(degrees.toFixed(digits));
}
