import { describe, expect, it } from 'vitest';
import { circle, lengthOf, rectangleAround, sizeOf, sizeOfOutline } from '../../../../renderer/map/geodesy.ts';

describe('sizeOf', () => {
  // Planimeter0 of GeographicLib's own tests.
  it.each([
    [
      [
        [0, 89],
        [90, 89],
        [180, 89],
        [270, 89],
      ],
      631_819.8745,
      24_952_305_678.0,
    ],
    [
      [
        [-1, 0],
        [0, -1],
        [1, 0],
        [0, 1],
      ],
      627_598.2731,
      24_619_419_146.0,
    ],
  ])('measures %j as GeographicLib does', (corners, perimeter, area) => {
    const { area_m2, length_m } = sizeOfOutline(corners);
    expect(area_m2).toBeCloseTo(area, -1);
    expect(length_m).toBeCloseTo(perimeter, 3);
  });

  it('does not depend on the direction of the ring', () => {
    const corners = [
      [127, 37],
      [127.001, 37],
      [127.001, 37.001],
    ];
    expect(sizeOfOutline(corners).area_m2).toBeCloseTo(sizeOfOutline(corners.toReversed()).area_m2 ?? 0, 6);
  });

  it('takes holes off the area but not off the outline', () => {
    const outer = [
      [0, 0],
      [0.02, 0],
      [0.02, 0.02],
      [0, 0.02],
      [0, 0],
    ];
    const hole = [
      [0.005, 0.005],
      [0.005, 0.01],
      [0.01, 0.01],
      [0.01, 0.005],
      [0.005, 0.005],
    ];
    const whole = sizeOf({ type: 'Polygon', coordinates: [outer] });
    const pierced = sizeOf({ type: 'Polygon', coordinates: [outer, hole] });
    expect((pierced.area_m2 ?? 0) / (whole.area_m2 ?? 1)).toBeCloseTo(1 - 1 / 16, 6);
    expect(pierced.length_m).toBe(whole.length_m);
  });

  it('gives a line a length and a point nothing', () => {
    expect(
      sizeOf({
        type: 'LineString',
        coordinates: [
          [0, 0],
          [0, 1],
        ],
      }),
    ).toMatchObject({ area_m2: null });
    // One degree of meridian from the equator, WGS84: 110574.389 m.
    expect(
      sizeOf({
        type: 'LineString',
        coordinates: [
          [0, 0],
          [0, 1],
        ],
      }).length_m,
    ).toBeCloseTo(110_574.389, 2);
    expect(sizeOf({ type: 'Point', coordinates: [0, 0] })).toEqual({ area_m2: null, length_m: null });
  });
});

describe('circle', () => {
  it.each([
    [0, 0],
    [127, 37.5],
    [-20, 69],
  ])('is as round on the ground at %d, %d as its corners allow', (lng, lat) => {
    const middle = [lng, lat];
    const corners = circle(middle, [lng, lat + 0.001]);
    const radius_m = lengthOf([middle, [lng, lat + 0.001]]);
    for (const corner of corners) expect(lengthOf([middle, corner])).toBeCloseTo(radius_m, 2);
    const { area_m2 } = sizeOfOutline(corners);
    expect((area_m2 ?? 0) / (Math.PI * radius_m ** 2)).toBeCloseTo(0.998, 3);
  });
});

describe('rectangleAround', () => {
  it.each([
    [37.5, 127],
    [-36.8, 174.7],
    [64.1, -21.9],
  ])('is 8 m by 50 m about %d, %d', (lat, lng) => {
    const ring = rectangleAround({ lat, lng }, { width_m: 8, length_m: 50 });
    expect(sizeOf({ type: 'Polygon', coordinates: [ring] }).area_m2).toBeCloseTo(400, 1);
    expect(lengthOf(ring.slice(0, 2))).toBeCloseTo(8, 2);
    expect(lengthOf(ring.slice(1, 3))).toBeCloseTo(50, 2);
    expect(ring.at(-1)).toEqual(ring[0]);
  });
});
