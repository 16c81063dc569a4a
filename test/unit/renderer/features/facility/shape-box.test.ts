import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shapeBox, suggestBays } from '../../../../../renderer/features/facility/shape-box.ts';
import type { Geometry } from '../../../../../server/contract/overlay.ts';

const degree_m = 111_195;

/** A rectangle at 37.5 N whose longer side looks to `axis_deg`. */
function rectangle(length_m: number, width_m: number, axis_deg: number): Geometry {
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
    return [127 + east / (degree_m * Math.cos((37.5 * Math.PI) / 180)), 37.5 + north / degree_m];
  });
  return { type: 'Polygon', coordinates: [corners] };
}

describe('shapeBox', () => {
  it('gives the sides and direction of a rectangle however it is turned', () => {
    const side = fc.double({ min: 4, max: 200, noNaN: true });
    fc.assert(
      fc.property(
        side,
        fc.double({ min: 1.05, max: 8, noNaN: true }),
        fc.integer({ min: 0, max: 179 }),
        (width_m, ratio, axis) => {
          const box = shapeBox(rectangle(width_m * ratio, width_m, axis));
          expect(box?.length_m).toBeCloseTo(width_m * ratio, 1);
          expect(box?.width_m).toBeCloseTo(width_m, 1);
          const apart = Math.abs((box?.axis_deg ?? NaN) - axis);
          expect(Math.min(apart, 180 - apart)).toBeLessThan(0.1);
        },
      ),
    );
  });

  it('takes all parts of a multipolygon together and no holes', () => {
    const one = rectangle(20, 8, 90);
    const parts = one.type === 'Polygon' ? one.coordinates : [];
    const shifted = parts.map((ring) => ring.map(([lng = 0, lat = 0]) => [lng, lat + 12 / degree_m]));
    const box = shapeBox({ type: 'MultiPolygon', coordinates: [parts, shifted] });
    expect(box?.length_m).toBeCloseTo(20, 1);
    expect(box?.width_m).toBeCloseTo(20, 1);
  });

  it('has none for a line, a point and an outline without area', () => {
    expect(shapeBox({ type: 'Point', coordinates: [127, 37] })).toBeNull();
    const flat = [
      [127, 37],
      [127.1, 37],
      [127.2, 37],
      [127, 37],
    ];
    expect(shapeBox({ type: 'Polygon', coordinates: [flat] })).toBeNull();
  });
});

describe('suggestBays', () => {
  it('takes a narrow house as one bay and shares a wide one out', () => {
    expect(suggestBays({ width_m: 8.04, length_m: 50.02, axis_deg: 0 })).toEqual({
      bay_count: 1,
      bay_width_m: 8,
      length_m: 50,
    });
    expect(suggestBays({ width_m: 48, length_m: 60, axis_deg: 0 })).toMatchObject({ bay_count: 6, bay_width_m: 8 });
  });

  it('never leaves the limits of the contract', () => {
    const metres = fc.double({ min: 0.01, max: 5_000, noNaN: true });
    fc.assert(
      fc.property(metres, metres, (width_m, length_m) => {
        const found = suggestBays({ width_m, length_m, axis_deg: 0 });
        expect(found.bay_count).toBeGreaterThanOrEqual(1);
        expect(found.bay_count).toBeLessThanOrEqual(200);
        expect(found.bay_width_m).toBeGreaterThan(0);
      }),
    );
  });
});
