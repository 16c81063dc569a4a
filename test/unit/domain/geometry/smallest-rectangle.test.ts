import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frontAlong, smallestRectangle } from '../../../../server/domain/geometry/smallest-rectangle.ts';
import type { Geometry } from '../../../../server/contract/overlay.ts';

const degree_m = 111_195;

/** A rectangle whose longer side looks to `axis_deg`. */
function rectangle(
  length_m: number,
  width_m: number,
  axis_deg: number,
  [lng, lat]: readonly [number, number] = [127, 37.5],
): Geometry {
  const turn = (axis_deg * Math.PI) / 180;
  const corners = [
    [0, 0],
    [length_m, 0],
    [length_m, width_m],
    [0, width_m],
    [0, 0],
  ].map(([along = 0, across = 0]) => {
    const east = along * Math.sin(turn) + across * Math.cos(turn);
    const north = along * Math.cos(turn) - across * Math.sin(turn);
    return [lng + east / (degree_m * Math.cos((lat * Math.PI) / 180)), lat + north / degree_m];
  });
  return { type: 'Polygon', coordinates: [corners] };
}

describe('smallestRectangle', () => {
  it('gives the sides and direction of a rectangle however it is turned', () => {
    const side = fc.double({ min: 4, max: 200, noNaN: true });
    fc.assert(
      fc.property(
        side,
        fc.double({ min: 1.05, max: 8, noNaN: true }),
        fc.integer({ min: 0, max: 179 }),
        (width_m, ratio, axis) => {
          const box = smallestRectangle(rectangle(width_m * ratio, width_m, axis));
          expect(box?.length_m).toBeCloseTo(width_m * ratio, 1);
          expect(box?.width_m).toBeCloseTo(width_m, 1);
          const apart = Math.abs((box?.axis_deg ?? NaN) - axis);
          expect(Math.min(apart, 180 - apart)).toBeLessThan(0.1);
        },
      ),
    );
  });

  it('takes it anywhere, whatever corner comes first', () => {
    const places = fc.record({
      bearing: fc.integer({ min: 0, max: 179 }),
      long_m: fc.integer({ min: 20, max: 300 }),
      lng: fc.integer({ min: -179, max: 179 }),
      lat: fc.integer({ min: -70, max: 70 }),
      first: fc.integer({ min: 0, max: 3 }),
    });
    fc.assert(
      fc.property(places, ({ bearing, long_m, lng, lat, first }) => {
        const shape = rectangle(long_m, 0.6 * long_m, bearing, [lng, lat]);
        const corners = shape.type === 'Polygon' ? (shape.coordinates[0] ?? []).slice(1) : [];
        const ring = [...corners.slice(first), ...corners.slice(0, first)];
        const axis_deg =
          smallestRectangle({ type: 'Polygon', coordinates: [[...ring, ...ring.slice(0, 1)]] })?.axis_deg ?? NaN;
        const apart = Math.abs(axis_deg - bearing);
        expect(Math.min(apart, 180 - apart)).toBeLessThan(0.1);
        expect(axis_deg).toBeGreaterThanOrEqual(0);
        expect(axis_deg).toBeLessThan(180);
      }),
    );
  });

  it('takes an L by the rectangle around it', () => {
    const ring = [
      [0, 0],
      [100, 0],
      [100, 20],
      [20, 20],
      [20, 45],
      [0, 45],
      [0, 0],
    ];
    const placed = ring.map(([east = 0, north = 0]) => [127 + east / degree_m, north / degree_m]);
    const box = smallestRectangle({ type: 'Polygon', coordinates: [placed] });
    expect(box?.axis_deg).toBeCloseTo(90, 1);
    expect(box?.width_m).toBeCloseTo(45, 1);
  });

  it('takes all parts of a multipolygon together and no holes', () => {
    const one = rectangle(20, 8, 90);
    const parts = one.type === 'Polygon' ? one.coordinates : [];
    const shifted = parts.map((ring) => ring.map(([lng = 0, lat = 0]) => [lng, lat + 12 / degree_m]));
    const box = smallestRectangle({ type: 'MultiPolygon', coordinates: [parts, shifted] });
    expect(box?.length_m).toBeCloseTo(20, 1);
    expect(box?.width_m).toBeCloseTo(20, 1);
  });

  it('has none for a line, a point and an outline without area', () => {
    expect(smallestRectangle({ type: 'Point', coordinates: [127, 37] })).toBeNull();
    const flat = [
      [127, 37],
      [127.1, 37],
      [127.2, 37],
      [127, 37],
    ];
    expect(smallestRectangle({ type: 'Polygon', coordinates: [flat] })).toBeNull();
  });
});

describe('the front of a house along its outline', () => {
  it.each([
    ['is the axis while none is known', 12.34, null, 12.3],
    ['stays at the end that it looked to', 2, 180, 182],
    ['stays across north', 179, 358, 359],
    ['is that of the axis from nearby', 178, 200, 178],
    ['is below 360', 179.97, 350, 0],
    ['is the axis where both ends are as near', 90, 0, 90],
  ])('%s', (_name, axis_deg, known_deg, front_deg) => {
    expect(frontAlong({ length_m: 40, width_m: 8, axis_deg }, known_deg)).toBe(front_deg);
  });
});
