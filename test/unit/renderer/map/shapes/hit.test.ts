import { describe, expect, it } from 'vitest';
import type { Geometry } from '../../../../../server/contract/overlay.ts';
import { isHit } from '../../../../../renderer/map/shapes/hit.ts';

/** A world of 1,000 px a degree. */
const at = { scale: 360_000, reach_px: 5 };

function ring(from: number, to: number): number[][] {
  return [
    [from, from],
    [to, from],
    [to, to],
    [from, to],
    [from, from],
  ];
}

const square: Geometry = { type: 'Polygon', coordinates: [ring(0, 0.1)] };
const holed: Geometry = { type: 'Polygon', coordinates: [ring(0, 0.1), ring(0.03, 0.07)] };
const parts: Geometry = { type: 'MultiPolygon', coordinates: [[ring(0, 0.1)], [ring(0.5, 0.6)]] };
const line: Geometry = {
  type: 'LineString',
  coordinates: [
    [0, 0],
    [0.1, 0],
    [0.1, 0.1],
  ],
};

const points: Geometry = {
  type: 'MultiPoint',
  coordinates: [
    [0, 0],
    [0.1, 0],
  ],
};

describe('a place is on', () => {
  it.each<[string, Geometry, [number, number], boolean]>([
    ['an area that it lies in', square, [0.05, 0.05], true],
    ['an area whose side it is near', square, [0.104, 0.05], true],
    ['no area that it is beside', square, [0.106, 0.05], false],
    ['no area whose hole it is in', holed, [0.05, 0.05], false],
    ['the edge of the hole', holed, [0.033, 0.05], true],
    ['the area around the hole', holed, [0.02, 0.05], true],
    ['the second part', parts, [0.55, 0.55], true],
    ['nothing between the parts', parts, [0.3, 0.3], false],
    ['a line that it is near', line, [0.05, 0.004], true],
    ['no line that only bends around it', line, [0.05, 0.05], false],
    ['no line that goes on no further', line, [0.1, 0.106], false],
    ['a point that it is near', { type: 'Point', coordinates: [0, 0] }, [0.003, 0.003], true],
    ['no point that it is beside', { type: 'Point', coordinates: [0, 0] }, [0.004, 0.004], false],
    ['one of several points', points, [0.1, 0.004], true],
    ['nothing between several points', points, [0.05, 0], false],
  ])('%s', (_what, geometry, [lng, lat], expected) => {
    expect(isHit(geometry, { lng, lat }, at)).toBe(expected);
  });
});
