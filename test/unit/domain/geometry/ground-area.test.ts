import { describe, expect, it } from 'vitest';
import { groundArea_m2, middleOf } from '../../../../server/domain/geometry/ground-area.ts';

const box = (west: number, south: number, east: number, north: number): number[][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
/** A degree of longitude on the equator of WGS84 is 111,319.491 m, a degree of latitude there 110,574.389 m. */
const squareDegree_m2 = 111_319.491 * 110_574.389;

describe('groundArea_m2', () => {
  it('measures on the ellipsoid, whichever way a ring turns', () => {
    const ring = box(0, -0.005, 0.01, 0.005);
    const expected = squareDegree_m2 * 1e-4;
    for (const coordinates of [[ring], [ring.toReversed()]]) {
      expect(groundArea_m2({ type: 'Polygon', coordinates }) ?? 0).toBeCloseTo(expected, -1);
    }
  });

  it('takes holes out and adds the parts of a multipolygon', () => {
    const [outer, hole, other] = [box(0, 0, 0.004, 0.004), box(0.001, 0.001, 0.002, 0.002), box(1, 0, 1.004, 0.004)];
    const whole = groundArea_m2({ type: 'Polygon', coordinates: [outer] }) ?? 0;
    expect(groundArea_m2({ type: 'Polygon', coordinates: [outer, hole] }) ?? 0).toBeCloseTo((whole * 15) / 16, 0);
    expect(groundArea_m2({ type: 'MultiPolygon', coordinates: [[outer], [other]] }) ?? 0).toBeCloseTo(2 * whole, 0);
  });

  it('is null for what encloses nothing', () => {
    expect(groundArea_m2({ type: 'Point', coordinates: [1, 2] })).toBeNull();
    expect(middleOf({ type: 'Point', coordinates: [1, 2] })).toBeNull();
  });
});

it('finds the middle of a shape', () => {
  expect(middleOf({ type: 'Polygon', coordinates: [box(127, 37, 127.5, 37.25)] })).toEqual({
    lng: 127.25,
    lat: 37.125,
  });
});
