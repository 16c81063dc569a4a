import { describe, expect, it } from 'vitest';
import type { Point } from '../../../../../renderer/map/topology/plane.ts';
import {
  gridOffsets,
  middleOf,
  moved,
  placeAt,
  rotated,
  scaled,
  squared,
  bearing,
} from '../../../../../renderer/map/topology/transform.ts';
import { area, areaOf, box, plane, pointsOf } from '../../../../support/farm.ts';

const house = area(box(0, 0, 8, 50));
const about = { plane, pivot: middleOf([house], plane) };

function expectAt(found: Point | undefined, { x, y }: Point, digits: number): void {
  expect(found?.x).toBeCloseTo(x, digits);
  expect(found?.y).toBeCloseTo(y, digits);
}

describe('moving, turning and scaling', () => {
  it('moves by metres and back to the same digits', () => {
    const there = moved(house, { x: 12.5, y: -3 }, plane);
    expectAt(pointsOf(there)[0], { x: 12.5, y: -3 }, 3);
    expect(moved(house, { x: 0, y: 0 }, plane)).toBe(house);
  });

  it.each([0, 30, 90, 217.5, 360])('turned by %d° it keeps its size and its middle', (angle) => {
    const turned = rotated(house, angle, about);
    expect(areaOf(turned)).toBeCloseTo(areaOf(house), 1);
    expect(middleOf([rotated(turned, -angle, about)], plane).x).toBeCloseTo(about.pivot.x, 3);
  });

  it('turns clockwise', () => {
    const [corner] = pointsOf(rotated(area(box(0, 0, 1, 10)), 90, { plane, pivot: { x: 0, y: 0 } })).slice(2, 3);
    expectAt(corner, { x: 10, y: -1 }, 3);
  });

  it('grows along an axis', () => {
    expect(areaOf(scaled(house, { along: 2, across: 1, axis_deg: 37 }, about))).toBeCloseTo(2 * areaOf(house), 0);
  });
});

describe('gridOffsets', () => {
  it('leaves the gap between neighbours, row by row', () => {
    const grid = { across: 2, along: 2, gap_across_m: 2, gap_along_m: 5, axis_deg: 0 };
    const offsets = gridOffsets([house], grid, plane).map(({ x, y }) => [
      Math.round(x * 100) / 100,
      Math.round(y * 100) / 100,
    ]);
    expect(offsets).toEqual([
      [10, 0],
      [0, 55],
      [10, 55],
    ]);
  });

  it('follows the direction of a turned house', () => {
    const turned = rotated(house, 90, about);
    const [next] = gridOffsets([turned], { across: 2, along: 1, gap_across_m: 2, gap_along_m: 0, axis_deg: 90 }, plane);
    expectAt(next, { x: 0, y: -10 }, 2);
  });
});

describe('right angles', () => {
  const from = { x: 10, y: 0 };
  it.each([
    ['square to the side before', { x: 11, y: 9 }, { x: 0, y: 0 }, { x: 10, y: 9 }],
    ['along it', { x: 19, y: 1 }, { x: 0, y: 0 }, { x: 19, y: 0 }],
    ['to north or east without one', { x: 12, y: 7 }, undefined, { x: 10, y: 7 }],
  ])('%s', (_, wanted, before, place) => {
    const found = squared(wanted, from, before);
    expectAt(found, { x: place.x, y: place.y }, 9);
  });

  it('goes so far in a direction', () => {
    const to = placeAt([127, 37.5], { length_m: 25, bearing_deg: 120 }, plane);
    expect(bearing({ x: 0, y: 0 }, plane.point(to))).toBeCloseTo(120, 3);
  });
});
