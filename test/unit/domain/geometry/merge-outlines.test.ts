import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Geometry } from '../../../../server/contract/overlay.ts';
import { checkGeometry, isFault } from '../../../../server/domain/geometry/feature-geometry.ts';
import { groundArea_m2 } from '../../../../server/domain/geometry/ground-area.ts';
import { mergedOutline } from '../../../../server/domain/geometry/merge-outlines.ts';

type Box = readonly [west: number, south: number, east: number, north: number];

/** A rectangle in units of 1e-4 degrees from a farm, about 10 m. */
function box([west, south, east, north]: Box): Geometry {
  const at = (x: number, y: number): number[] => [127 + x / 1e4, 37 + y / 1e4];
  return {
    type: 'Polygon',
    coordinates: [[at(west, south), at(east, south), at(east, north), at(west, north), at(west, south)]],
  };
}

const area = (geometry: Geometry | null): number => (geometry && groundArea_m2(geometry)) ?? NaN;

it.each<[string, Box[], number]>([
  ['two that share a side', [[0, 0, 2, 2], [2, 0, 4, 2]], 8], // prettier-ignore
  ['two of which one reaches along a part of the other', [[0, 0, 2, 2], [2, 1, 5, 2]], 7], // prettier-ignore
  ['two that overlap', [[0, 0, 2, 2], [1, 0, 3, 2]], 6], // prettier-ignore
  ['two with a hair between', [[0, 0, 2, 2], [2.004, 0, 4, 2]], 8], // prettier-ignore
  ['three in a row, the middle one last', [[0, 0, 1, 1], [2, 0, 3, 1], [1, 0, 2, 1]], 3], // prettier-ignore
])('%s are one area', (_, boxes, squares) => {
  const merged = mergedOutline(boxes.map(box));
  expect(merged?.type).toBe('Polygon');
  expect(area(merged) / (squares * area(box([0, 0, 1, 1])))).toBeCloseTo(1, 2);
});

it('keeps a yard that lies in the middle', () => {
  const around: Box[] = [[0, 0, 3, 1], [0, 2, 3, 3], [0, 1, 1, 2], [2, 1, 3, 2]]; // prettier-ignore
  const merged = mergedOutline(around.map(box));
  expect(merged?.coordinates).toHaveLength(2);
  expect(area(merged) / area(box([0, 0, 1, 1]))).toBeCloseTo(8, 1);
});

it.each<[string, Box[]]>([
  ['that lie apart', [[0, 0, 1, 1], [1.1, 0, 2, 1]]], // prettier-ignore
  ['of which one lies apart', [[0, 0, 1, 1], [1, 0, 2, 1], [5, 5, 6, 6]]], // prettier-ignore
])('areas %s are not merged', (_, boxes) => {
  expect(mergedOutline(boxes.map(box))).toBeNull();
});

it('makes of any two neighbours a valid outline of both areas', () => {
  const side = fc.double({ min: 0.5, max: 50, noNaN: true });
  fc.assert(
    fc.property(side, side, side, (width, height, other) => {
      const parts = [box([0, 0, width, height]), box([width, 0, width + other, height])];
      const merged = mergedOutline(parts);
      expect(merged !== null && !isFault(checkGeometry(merged, 'site'))).toBe(true);
      expect(area(merged) / (area(parts[0] ?? null) + area(parts[1] ?? null))).toBeCloseTo(1, 2);
    }),
  );
});
