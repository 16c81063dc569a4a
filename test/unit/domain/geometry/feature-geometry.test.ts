import { describe, expect, it } from 'vitest';
import type { FeatureType } from '../../../../server/contract/overlay.ts';
import { checkGeometry, countPositions } from '../../../../server/domain/geometry/feature-geometry.ts';

const square = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 4],
  [0, 0],
];

function hole(x: number, y: number, size = 1): number[][] {
  return [
    [x, y],
    [x, y + size],
    [x + size, y + size],
    [x + size, y],
    [x, y],
  ];
}

function check(type: string, coordinates: unknown, featureType: FeatureType = 'reference'): unknown {
  return checkGeometry({ type, coordinates }, featureType);
}

describe('checkGeometry', () => {
  it.each([
    ['Point', [127, 37]],
    ['Point', [127, 37, 12.5]],
    ['Point', [-180, 90]],
    ['MultiPoint', [[0, 0]]],
    [
      'LineString',
      [
        [0, 0],
        [0, 1],
      ],
    ],
    ['MultiLineString', [square]],
    ['Polygon', [square]],
    ['Polygon', [square, hole(1, 1), hole(2, 2)]],
    ['Polygon', [square, hole(0, 1)].map((ring) => ring.filter((_, index) => index !== 1))],
    ['MultiPolygon', [[square], [hole(10, 10)]]],
    ['MultiPolygon', [[square], [hole(4, 0, 4)]]],
  ])('takes a %s %j', (type, coordinates) => {
    expect(check(type, coordinates)).toMatchObject({ geometry: { type, coordinates } });
  });

  it('takes a ring that repeats a position', () => {
    expect(check('Polygon', [square.flatMap((position) => [position, position])])).toHaveProperty('geometry');
  });

  it.each([
    ['Circle', [0, 0], 'geometry.type', 'kind', /one of Point/],
    ['toString', [0, 0], 'geometry.type', 'kind', /one of Point/],
    ['Point', [], 'geometry.coordinates', 'form', /2 or more/],
    ['Point', [0, 0, 0, 0], 'geometry.coordinates', 'form', /altitude/],
    ['Point', ['127', '37'], 'geometry.coordinates', 'form', /finite/],
    ['Point', [Infinity, 0], 'geometry.coordinates', 'form', /finite/],
    ['Point', [180.5, 0], 'geometry.coordinates', 'range', /longitude/],
    ['Point', [0, -90.5], 'geometry.coordinates', 'range', /latitude/],
    ['MultiPoint', [[0, 0], 7], 'geometry.coordinates[1]', 'form', /list/],
    ['LineString', [[0, 0]], 'geometry.coordinates', 'form', /2 or more/],
    [
      'LineString',
      [
        [1, 1],
        [1, 1],
      ],
      'geometry.coordinates',
      'length',
      /length/,
    ],
    ['Polygon', [], 'geometry.coordinates', 'form', /1 or more/],
    ['Polygon', [square.slice(0, 3)], 'geometry.coordinates[0]', 'form', /4 or more/],
    ['Polygon', [square.slice(0, 4)], 'geometry.coordinates[0][3]', 'form', /closed/],
    ['Polygon', [square, hole(1, 1).slice(0, 4)], 'geometry.coordinates[1][3]', 'form', /closed/],
    ['Polygon', [[0, 1, 2, 0].map((x) => [x, x])], 'geometry.coordinates[0]', 'area', /area/],
    ['Polygon', [square.map(() => [1, 1])], 'geometry.coordinates[0]', 'area', /area/],
    ['Polygon', [square, hole(5, 5)], 'geometry.coordinates[1]', 'hole', /outside/],
    ['Polygon', [square, hole(3, 3, 2)], 'geometry.coordinates[1][3]', 'crossing', /coordinates\[0]\[1]/],
    ['Polygon', [square, hole(0, 1)], 'geometry.coordinates[1][0]', 'crossing', /meets/],
    ['Polygon', [square, hole(1, 1), hole(1, 1)], 'geometry.coordinates[2][0]', 'crossing', /meets/],
    ['MultiPolygon', [[square], [hole(2, 2, 5)]], 'geometry.coordinates[1][0][3]', 'crossing', /meets/],
    ['MultiPolygon', [[square], 'x'], 'geometry.coordinates[1]', 'form', /list/],
  ])('refuses a %s %j at %s for its %s', (type, coordinates, path, kind, message) => {
    expect(check(type, coordinates)).toEqual({ path, kind, message: expect.stringMatching(message) as string });
  });

  it('names where a bow tie crosses', () => {
    const bowTie = [
      [0, 0],
      [2, 2],
      [2, 0],
      [0, 2],
      [0, 0],
    ];
    expect(check('Polygon', [bowTie])).toEqual({
      path: 'geometry.coordinates[0][2]',
      kind: 'crossing',
      message: 'starts an edge that meets the edge from geometry.coordinates[0][0]: a ring must not cross',
    });
  });

  it('refuses an edge that runs back on itself', () => {
    const spike = [
      [0, 0],
      [4, 0],
      [4, 4],
      [4, 2],
      [0, 2],
      [0, 0],
    ];
    expect(check('Polygon', [spike])).toMatchObject({ path: 'geometry.coordinates[0][2]' });
  });

  it.each(['site', 'zone'] as const)('asks a %s to cover an area', (type) => {
    expect(check('Point', [0, 0], type)).toMatchObject({ path: 'geometry.type', kind: 'kind' });
    expect(check('Polygon', [square], type)).toHaveProperty('geometry');
  });

  it('asks a device to be a point', () => {
    expect(check('Polygon', [square], 'device')).toMatchObject({ path: 'geometry.type' });
    expect(check('Point', [0, 0], 'device')).toHaveProperty('geometry');
  });

  it('drops what a geometry does not have', () => {
    const sent = { type: 'Point', coordinates: [1, 2], bbox: [1, 2, 1, 2], crs: 'EPSG:4326' };
    expect(checkGeometry(sent, 'label')).toEqual({
      geometry: { type: 'Point', coordinates: [1, 2] },
      bounds: { west: 1, south: 2, east: 1, north: 2 },
    });
  });

  it('gives the bounds over all parts', () => {
    expect(check('MultiPolygon', [[square], [hole(-10, 20)]])).toHaveProperty('bounds', {
      west: -10,
      south: 0,
      east: 4,
      north: 21,
    });
  });
});

describe('countPositions', () => {
  it.each([
    [[1, 2], 1],
    [square, 5],
    [[[square], [square, square]], 15],
    ['x', 0],
  ])('%j has %i', (coordinates, count) => {
    expect(countPositions(coordinates, 100)).toBe(count);
  });

  it('stops at the limit', () => {
    expect(countPositions([square, square], 7)).toBe(7);
  });
});
