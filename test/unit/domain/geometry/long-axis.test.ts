import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { longAxis_deg, type Position } from '../../../../server/domain/geometry/long-axis.ts';

/** A rectangle of `long_m` along `bearing_deg` about a place, as a closed ring. */
function rectangle(bearing_deg: number, long_m: number, wide_m: number, place: Position): Position[] {
  const angle = (bearing_deg * Math.PI) / 180;
  const metre = 1 / 111_195;
  const corners = [
    [1, 1],
    [1, -1],
    [-1, -1],
    [-1, 1],
    [1, 1],
  ] as const;
  return corners.map(([along, across]) => {
    const east = (along * long_m * Math.sin(angle) + across * wide_m * Math.cos(angle)) / 2;
    const north = (along * long_m * Math.cos(angle) - across * wide_m * Math.sin(angle)) / 2;
    return [place[0] + (east * metre) / Math.cos((place[1] * Math.PI) / 180), place[1] + north * metre];
  });
}

const apart = (a: number, b: number) => Math.abs(((((a - b) % 180) + 270) % 180) - 90);

describe('longAxis_deg', () => {
  it('finds the bearing of a house anywhere, whatever corner comes first', () => {
    const places = fc.record({
      bearing: fc.integer({ min: 0, max: 179 }),
      long: fc.integer({ min: 20, max: 300 }),
      lng: fc.integer({ min: -179, max: 179 }),
      lat: fc.integer({ min: -70, max: 70 }),
    });
    fc.assert(
      fc.property(places, fc.integer({ min: 0, max: 3 }), ({ bearing, long, lng, lat }, first) => {
        const ring = rectangle(bearing, long, 0.6 * long, [lng, lat]).slice(1);
        const turned = [...ring.slice(first), ...ring.slice(0, first)];
        const found = longAxis_deg(turned) ?? NaN;
        expect(apart(found, bearing)).toBeLessThan(0.1);
        expect(found).toBeGreaterThanOrEqual(0);
        expect(found).toBeLessThan(180);
      }),
    );
  });

  it('takes an L of two wings by the rectangle around it', () => {
    const long = rectangle(90, 100, 20, [127, 37]);
    const wing = rectangle(0, 30, 20, [127.0003, 37.0001]);
    expect(apart(longAxis_deg([...long, ...wing]) ?? NaN, 90)).toBeLessThan(0.1);
  });

  it('has none without an area', () => {
    expect(longAxis_deg([])).toBeNull();
    expect(longAxis_deg([[127, 37]])).toBeNull();
    expect(
      longAxis_deg([
        [127, 37],
        [127.001, 37],
        [127.002, 37],
      ]),
    ).toBeNull();
  });
});
