import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCrossing, placeInRing, type Position } from '../../../../server/domain/geometry/ring-crossing.ts';

type Point = [number, number];

function circle(corners: number, radius = 0.01): Point[] {
  const points = Array.from({ length: corners }, (_, index): Point => {
    const angle = (index / corners) * 2 * Math.PI;
    return [127 + radius * Math.cos(angle), 37 + radius * Math.sin(angle)];
  });
  return close(points);
}

function close(points: readonly Point[]): Point[] {
  return [...points, ...points.slice(0, 1)];
}

const crossingOf = (positions: readonly Position[]) => findCrossing([{ polygon: 0, ring: 0, positions }]);

/** All pairs with whole numbers, where products are exact. */
function crossesByPairs(points: readonly Point[]): boolean {
  const edges = points.slice(1).map((to, index): [Point, Point] => [points[index] ?? to, to]);
  const side = ([a, b]: [Point, Point], c: Point): number =>
    Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
  return edges.some((one, first) =>
    edges.some((two, second) => {
      if (second <= first + 1 || (first === 0 && second === edges.length - 1)) return false;
      return side(one, two[0]) * side(one, two[1]) < 0 && side(two, one[0]) * side(two, one[1]) < 0;
    }),
  );
}

describe('findCrossing', () => {
  it('finds none in a circle of 200,000 corners, where to look at every two edges would take minutes', () => {
    expect(crossingOf(circle(200_000))).toBeUndefined();
  });

  it('finds the one crossing in 20,000 corners', () => {
    const positions = circle(20_000);
    const [tenth = [0, 0], next = [0, 0]] = positions.slice(10_000);
    positions.splice(10_000, 2, next, tenth);
    expect(crossingOf(positions)).toEqual([
      { polygon: 0, ring: 0, position: 9_999 },
      { polygon: 0, ring: 0, position: 10_001 },
    ]);
  });

  it('agrees with the comparison of all pairs', () => {
    const point = fc.tuple(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 1000 }));
    fc.assert(
      fc.property(fc.array(point, { minLength: 3, maxLength: 60 }), (points) => {
        const ring = close(points);
        if (crossesByPairs(ring)) expect(crossingOf(ring)).toBeDefined();
      }),
    );
  });

  it('finds none where corners are sorted by angle around a point', () => {
    const radii = fc.array(fc.double({ min: 0.001, max: 0.01, noNaN: true }), { minLength: 3, maxLength: 200 });
    fc.assert(
      fc.property(radii, (list) => {
        const points = list.map((radius, index): Point => {
          const angle = (index / list.length) * 2 * Math.PI;
          return [127 + radius * Math.cos(angle), 37 + radius * Math.sin(angle)];
        });
        expect(crossingOf(close(points))).toBeUndefined();
      }),
    );
  });
});

describe('placeInRing', () => {
  const triangle = close([
    [0, 0],
    [4, 0],
    [0, 4],
  ]);

  it.each([
    [[1, 1], 'inside'],
    [[2, 2], 'edge'],
    [[0, 0], 'edge'],
    [[3, 3], 'outside'],
    [[-1, 0], 'outside'],
    [[5, 0], 'outside'],
    [[-1, 4], 'outside'],
  ])('%j lies %s', (point, place) => {
    expect(placeInRing(point, triangle)).toBe(place);
    expect(placeInRing(point, triangle.toReversed())).toBe(place);
  });
});
