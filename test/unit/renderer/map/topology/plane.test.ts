import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lengthOf } from '../../../../../renderer/map/geodesy.ts';
import { Plane } from '../../../../../renderer/map/topology/plane.ts';

const origin = fc.tuple(fc.double({ min: -180, max: 180, noNaN: true }), fc.double({ min: -75, max: 75, noNaN: true }));
const away = fc.tuple(
  fc.double({ min: -0.05, max: 0.05, noNaN: true }),
  fc.double({ min: -0.05, max: 0.05, noNaN: true }),
);

describe('Plane', () => {
  it('goes there and back again to 1e-9 degrees', () => {
    fc.assert(
      fc.property(origin, away, ([lng, lat], [east, north]) => {
        const plane = new Plane([lng, lat]);
        const [backLng = NaN, backLat = NaN] = plane.position(plane.point([lng + east, lat + north]));
        expect(Math.abs(backLng - lng - east)).toBeLessThanOrEqual(1e-9);
        expect(Math.abs(backLat - lat - north)).toBeLessThanOrEqual(1e-9);
      }),
    );
  });

  it('keeps lengths to a millionth within 5 km, by geodesics of the ellipsoid', () => {
    fc.assert(
      fc.property(origin, away, away, ([lng, lat], a, b) => {
        const plane = new Plane([lng, lat]);
        const [from, to] = [a, b].map(([east, north]) => [lng + east, lat + north]) as [number[], number[]]; // of two
        const [p, q] = [plane.point(from), plane.point(to)];
        const [flat, true_m] = [Math.hypot(p.x - q.x, p.y - q.y), lengthOf([from, to])];
        expect(Math.abs(flat - true_m)).toBeLessThan(1e-4 + true_m * 1.5e-6);
      }),
    );
  });

  it('spans the 180th meridian', () => {
    const plane = new Plane([180, 10]);
    expect(plane.point([180.001, 10]).x).toBeCloseTo(109.6, 0);
  });
});
