import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Geometry } from '../../../../server/contract/overlay.ts';
import { crossesItself, isValidPosition, leastVertices, pathsOf, withPath } from '../../../../renderer/map/geometry.ts';

const ring = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 4],
  [0, 0],
];
const hole = [
  [1, 1],
  [1, 2],
  [2, 2],
  [1, 1],
];
const geometries: Geometry[] = [
  { type: 'Point', coordinates: [1, 2] },
  {
    type: 'MultiPoint',
    coordinates: [
      [1, 2],
      [3, 4],
    ],
  },
  {
    type: 'LineString',
    coordinates: [
      [0, 0],
      [1, 1],
    ],
  },
  {
    type: 'MultiLineString',
    coordinates: [
      [
        [0, 0],
        [1, 1],
      ],
      [
        [2, 2],
        [3, 3],
      ],
    ],
  },
  { type: 'Polygon', coordinates: [ring, hole] },
  { type: 'MultiPolygon', coordinates: [[ring, hole], [ring]] },
];

describe('paths', () => {
  it.each(geometries)('of a $type put back unchanged give the same geometry', (geometry) => {
    pathsOf(geometry).forEach((path, index) => {
      expect(withPath(geometry, index, path.positions)).toEqual(geometry);
    });
  });

  it('change only the ring that is named, and close it', () => {
    const [, , , , , multi] = geometries;
    const paths = multi === undefined ? [] : pathsOf(multi);
    expect(paths.map(({ part, ring: at }) => [part, at])).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
    ]);
    const moved = [
      [9, 9],
      [8, 8],
      [9, 8],
    ];
    expect(multi && withPath(multi, 1, moved)).toEqual({
      type: 'MultiPolygon',
      coordinates: [[ring, [...moved, [9, 9]]], [ring]],
    });
  });

  it.each([
    ['a ring', 4, 3],
    ['a line', 2, 2],
    ['a point', 0, 1],
  ])('of %s keep their least vertices', (_name, at, least) => {
    const [path] = geometries[at] === undefined ? [] : pathsOf(geometries[at]);
    expect(path && leastVertices(path)).toBe(least);
  });
});

describe('crossesItself', () => {
  it.each([
    [
      'a square',
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ],
      false,
    ],
    [
      'a bow tie',
      [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
      ],
      true,
    ],
    [
      'a corner on another side',
      [
        [0, 0],
        [4, 0],
        [4, 4],
        [2, 0],
        [0, 4],
      ],
      true,
    ],
    [
      'an arrow',
      [
        [0, 0],
        [4, 2],
        [0, 4],
        [1, 2],
      ],
      false,
    ],
    [
      'a triangle',
      [
        [0, 0],
        [1, 0],
        [0, 1],
      ],
      false,
    ],
  ])('%s', (_name, corners, expected) => {
    expect(crossesItself(corners)).toBe(expected);
    expect(crossesItself(corners.toReversed())).toBe(expected);
  });

  it('never says so of a star-shaped outline', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 1, max: 5, noNaN: true }), { minLength: 3, maxLength: 24 }), (radii) => {
        const corners = radii.map((radius, index) => {
          const angle = (2 * Math.PI * index) / radii.length;
          return [radius * Math.cos(angle), radius * Math.sin(angle)];
        });
        expect(crossesItself(corners)).toBe(false);
      }),
    );
  });
});

describe('isValidPosition', () => {
  it.each([
    [[180, 90], true],
    [[-180, -90], true],
    [[180.1, 0], false],
    [[0, 90.1], false],
    [[NaN, 0], false],
    [[1], false],
  ])('%j is %s', (position, expected) => {
    expect(isValidPosition(position)).toBe(expected);
  });
});
