import type { MapSketch } from '../../server/contract/design.ts';
import type { FeatureType, Geometry } from '../../server/contract/overlay.ts';
import { boxOf, nowhere, widen, type GeoBox } from './geo-box.ts';
import { typeLayersOf, type TypeLayer } from './layer-settings.ts';

/** A piece of a sketch, with the layer of its type. */
export interface SketchPiece {
  geometry: Geometry;
  layer: TypeLayer;
  /** Of its layer; higher lies above. */
  rank: number;
}

/** What of a sketch the layers of its map show. */
export function piecesOf({ layers, shapes, blocks, ...cells }: MapSketch): SketchPiece[] {
  const ranked = new Map(typeLayersOf(layers.overlays).map((layer, rank) => [layer.type, { layer, rank }]));
  const pieces: SketchPiece[] = [];
  const add = (type: FeatureType, geometry: Geometry): void => {
    const seen = ranked.get(type);
    if (seen?.layer.isVisible === true && seen.layer.opacity > 0) pieces.push({ geometry, ...seen });
  };
  for (const { type, runs } of blocks) {
    for (let at = 0; at < runs.length; at += 3) add(type, runOf(cells, runs.slice(at, at + 3)));
  }
  for (const { geometry, properties } of shapes) add(properties.type, geometry);
  return pieces;
}

/** The extent of all pieces; null without any. */
export function extentOf(pieces: readonly SketchPiece[]): GeoBox | null {
  const extent = nowhere();
  for (const piece of pieces) widen(extent, boxOf(piece));
  return extent.west <= extent.east ? extent : null;
}

function runOf({ west, south, cell_deg }: Pick<MapSketch, 'west' | 'south' | 'cell_deg'>, run: number[]): Geometry {
  const [column = 0, row = 0, length = 0] = run;
  const [left, right] = [west + column * cell_deg, west + (column + length) * cell_deg];
  const [bottom, top] = [south + row * cell_deg, south + (row + 1) * cell_deg];
  const ring = [
    [left, bottom],
    [right, bottom],
    [right, top],
    [left, top],
    [left, bottom],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}
