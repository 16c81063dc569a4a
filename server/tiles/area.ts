import type { TilePlace } from './map-file.ts';

/** West, south, east, north in degrees. */
export type AreaBox = readonly [west: number, south: number, east: number, north: number];

export interface Area {
  bbox: AreaBox;
  min_zoom: number;
  max_zoom: number;
}

/** The tiles of one zoom, from corner to corner. */
interface Block {
  z: number;
  from: { x: number; y: number };
  columns: number;
  count: number;
}

/** Where the square of Web Mercator ends, degrees. */
const lastLatitude = 85.051128;

/** The tiles of an area, in a fixed order, so that work on them can continue in the middle. */
export class AreaTiles {
  readonly count: number;
  readonly #blocks: readonly Block[];

  constructor({ bbox, min_zoom, max_zoom }: Area) {
    const zooms = Array.from({ length: max_zoom - min_zoom + 1 }, (_, step) => min_zoom + step);
    this.#blocks = zooms.map((z) => blockOf(bbox, z));
    this.count = this.#blocks.reduce((sum, { count }) => sum + count, 0);
  }

  /** From 0, the lowest zoom first. Throws a `RangeError` for an index outside the area. */
  at(index: number): TilePlace {
    let left = index;
    for (const { z, from, columns, count } of this.#blocks) {
      if (left < count) return { z, x: from.x + (left % columns), y: from.y + Math.floor(left / columns) };
      left -= count;
    }
    throw new RangeError(`the area has ${this.count} tiles`);
  }
}

function blockOf([west, south, east, north]: AreaBox, z: number): Block {
  const from = { x: columnOf(west, z), y: rowOf(north, z) };
  const to = { x: columnOf(east, z), y: rowOf(south, z) };
  const columns = to.x - from.x + 1;
  return { z, from, columns, count: columns * (to.y - from.y + 1) };
}

function columnOf(lng: number, z: number): number {
  return within(Math.floor(((lng + 180) / 360) * 2 ** z), z);
}

/** Web Mercator (EPSG:3857), rows from the north. */
function rowOf(lat: number, z: number): number {
  const sine = Math.sin((Math.max(-lastLatitude, Math.min(lastLatitude, lat)) * Math.PI) / 180);
  return within(Math.floor((0.5 - Math.atanh(sine) / (2 * Math.PI)) * 2 ** z), z);
}

function within(index: number, z: number): number {
  return Math.max(0, Math.min(2 ** z - 1, index));
}
