import type { Geometry } from '../../../server/contract/overlay.ts';
import type { Position } from '../geometry.ts';
import { positionsOf, type Plane, type Point } from './plane.ts';

/** A corner within so much of an earlier one is that one: clipper2 and growing round by less, m. */
const reach_m = 5e-4;

interface Corner {
  point: Point;
  position: Position;
}

/** Corners that an operation began with, found again in what came of it. */
export class KnownCorners {
  readonly #cells = new Map<string, Corner[]>();

  constructor(geometries: readonly Geometry[], plane: Plane) {
    for (const position of geometries.flatMap(positionsOf)) {
      const point = plane.point(position);
      const key = keyOf(Math.floor(point.x / reach_m), Math.floor(point.y / reach_m));
      const cell = this.#cells.get(key) ?? [];
      cell.push({ point, position });
      this.#cells.set(key, cell);
    }
  }

  at({ x, y }: Point): Corner | undefined {
    const [column, row] = [Math.floor(x / reach_m), Math.floor(y / reach_m)];
    const near = [-1, 0, 1].flatMap((dx) =>
      [-1, 0, 1].flatMap((dy) => this.#cells.get(keyOf(column + dx, row + dy)) ?? []),
    );
    let found: Corner | undefined;
    let least = reach_m;
    for (const corner of near) {
      const distance = Math.hypot(corner.point.x - x, corner.point.y - y);
      if (distance < least) [found, least] = [corner, distance];
    }
    return found;
  }
}

function keyOf(column: number, row: number): string {
  return `${column}:${row}`;
}
