import { describe, expect, it } from 'vitest';
import type { MapSketch } from '../../../../server/contract/design.ts';
import { extentOf, piecesOf } from '../../../../renderer/map/sketch.ts';
import { square } from './features.ts';

const sketch: MapSketch = {
  map_uuid: '00000000-0000-4000-8000-000000000000',
  revision: 1,
  layers: {},
  west: 10,
  south: 20,
  cell_deg: 0.5,
  blocks: [
    { type: 'bay', runs: [0, 0, 1, 2, 4, 3] },
    { type: 'label', runs: [1, 1, 1] },
  ],
  shapes: [square(1)],
};

describe('the sketch of a map', () => {
  it('becomes a rectangle for each run of cells, and the large shapes as they are', () => {
    const pieces = piecesOf(sketch);
    expect(pieces.map(({ layer }) => layer.type)).toEqual(['bay', 'bay', 'label', 'zone']);
    expect(pieces[1]?.geometry.coordinates).toEqual([
      [
        [11, 22],
        [12.5, 22],
        [12.5, 22.5],
        [11, 22.5],
        [11, 22],
      ],
    ]);
    expect(pieces[3]?.geometry).toEqual(square(1).geometry);
    expect(extentOf(pieces)).toEqual({ west: 0.1, south: 0, east: 12.5, north: 22.5 });
  });

  it('leaves out what the layers of the map hide', () => {
    const overlays = [
      { id: 'bay', visible: false },
      { id: 'zone', visible: true, opacity: 0 },
      { id: 'label', visible: true, opacity: 0.5 },
    ];
    const pieces = piecesOf({ ...sketch, layers: { overlays } });
    expect(pieces.map(({ layer }) => [layer.type, layer.opacity])).toEqual([['label', 0.5]]);
    expect(extentOf(pieces)).toEqual({ west: 10.5, south: 20.5, east: 11, north: 21 });
    expect(extentOf([])).toBeNull();
  });
});
