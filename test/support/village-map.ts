import { TileType } from 'pmtiles';
import { pmTilesOf } from './pmtiles.ts';
import { vectorTileOf } from './vector-tile.ts';

/** A map of level 14 alone around the farm: a lake, fields and a road. */
export function villageMap(): Buffer {
  const [x, y] = [Math.floor((307.0005 / 360) * 2 ** 14), 6_377];
  const square = (west: number, north: number, side: number) =>
    [[west, north], [west + side, north], [west + side, north + side], [west, north + side]] as const; // prettier-ignore
  const strips = Array.from({ length: 20 }, (_, at) => at / 20);
  const tile = vectorTileOf({
    water: strips.map((at) => ({ type: 'polygon', positions: square(at, 0.02 + at, 0.02) })),
    landuse: strips.map((at) => ({ type: 'polygon', positions: square(0.9 - at, at, 0.04) })),
    roads: strips.flatMap((at) => [
      { type: 'line' as const, positions: [[0, at], [1, at + 0.01]] as const }, // prettier-ignore
      { type: 'line' as const, positions: [[at, 0], [at, 1]] as const }, // prettier-ignore
    ]),
  });
  const vector_layers = ['water', 'landuse', 'roads'].map((id) => ({ id }));
  const near = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => [14, x + dx, y + dy, tile] as const));
  return pmTilesOf({
    type: TileType.Mvt,
    metadata: { name: 'Village', attribution: '&copy; Village <i>survey</i>', vector_layers },
    tiles: near,
  });
}
