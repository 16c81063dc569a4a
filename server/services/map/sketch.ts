import type { MapSketch } from '../../contract/design.ts';
import type { FeatureType } from '../../contract/overlay.ts';
import type { Box, FeatureBox } from '../../db/repositories/overlay.ts';
import { runsOf } from '../../domain/geometry/runs.ts';
import { mapToRead } from './conflict.ts';
import { snapshot } from './read.ts';
import type { MapStore } from './store.ts';

/** A map of no more features is read whole as soon as its sketch. */
const leastSketched = 5_000;
/** At most, along the longer side of what is on the map: about as many as a screen has px. */
const cellsAlong = 1_000;
/** A feature of as many cells, wide or high, is too large to be seen as cells, and sent itself. */
const largeCells = 8;
/**
 * Of more than this only the largest are sent: the others take longer to read than they add to a look from far away.
 */
const mostLarge = 2_000;
/** Degrees; all features may stand in one place. */
const leastCell_deg = 1e-7;

/** JSON of what a large map looks like from far away. Refuses with not_found. */
export function readSketch(store: MapStore, id: string): Buffer {
  return snapshot(store, () => {
    const { map_uuid, revision, layers, feature_count } = mapToRead(store, id);
    const boxes = feature_count > leastSketched ? store.overlays.boxesOfMap(map_uuid) : [];
    const cells = new Cells(boxes);
    const large = new Set(cells.largeOf(boxes));
    for (const box of boxes) if (!large.has(box)) cells.take(box);
    const head = { map_uuid, revision, layers, ...cells.place, blocks: cells.blocks() } satisfies Omit<
      MapSketch,
      'shapes'
    >;
    const shapes = store.overlays.geoJsonOf([...large].map((box) => box.id));
    return Buffer.from(`${JSON.stringify(head).slice(0, -1)},"shapes":[${shapes.join(',')}]}`);
  });
}

/** Square cells over the extent of a map, and which of them the features of each type cover. */
class Cells {
  readonly place: { west: number; south: number; cell_deg: number };
  readonly #across: number;
  readonly #up: number;
  readonly #covered = new Map<FeatureType, Uint8Array>();

  constructor(boxes: readonly Box[]) {
    const { west, south, east, north } = extentOf(boxes);
    const cell_deg = Math.max(leastCell_deg, Math.max(east - west, north - south) / (cellsAlong - 1)); // the edge itself is in one more
    this.place = { west, south, cell_deg };
    this.#across = Math.floor((east - west) / cell_deg) + 1;
    this.#up = Math.floor((north - south) / cell_deg) + 1;
  }

  /** The widest and highest first. Of more than may be sent, all of one size are left to the cells alike. */
  largeOf<Sized extends Box>(boxes: readonly Sized[]): Sized[] {
    const least = largeCells * this.place.cell_deg;
    const large = boxes.filter((box) => sizeOf(box) >= least).sort((a, b) => sizeOf(b) - sizeOf(a));
    const next = large[mostLarge];
    return next === undefined ? large : large.filter((box) => sizeOf(box) > sizeOf(next));
  }

  take({ type, west, south, east, north }: FeatureBox): void {
    let covered = this.#covered.get(type);
    if (covered === undefined) this.#covered.set(type, (covered = new Uint8Array(this.#across * this.#up)));
    const [left, right] = [this.#column(west), this.#column(east)];
    const top = this.#row(north);
    for (let y = this.#row(south); y <= top; y += 1) {
      const from = y * this.#across;
      covered.fill(1, from + left, from + right + 1);
    }
  }

  blocks(): MapSketch['blocks'] {
    return [...this.#covered].map(([type, covered]) => ({ type, runs: this.#runsOf(covered) }));
  }

  #column(lng: number): number {
    return Math.floor((lng - this.place.west) / this.place.cell_deg);
  }

  #row(lat: number): number {
    return Math.floor((lat - this.place.south) / this.place.cell_deg);
  }

  #runsOf(covered: Uint8Array): number[] {
    const runs: number[] = [];
    for (let y = 0; y < this.#up; y += 1) {
      const row = covered.subarray(y * this.#across, (y + 1) * this.#across);
      for (const { from, length } of runsOf(row)) runs.push(from, y, length);
    }
    return runs;
  }
}

/** Degrees, along its longer side. */
function sizeOf({ west, south, east, north }: Box): number {
  return Math.max(east - west, north - south);
}

/** Of no boxes a point. */
function extentOf(boxes: readonly Box[]): Box {
  const [first = { west: 0, south: 0, east: 0, north: 0 }] = boxes;
  let { west, south, east, north } = first;
  for (const box of boxes) {
    west = Math.min(west, box.west);
    south = Math.min(south, box.south);
    east = Math.max(east, box.east);
    north = Math.max(north, box.north);
  }
  return { west, south, east, north };
}
