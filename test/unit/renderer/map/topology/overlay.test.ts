import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import wkx from 'wkx';
import type { Geometry } from '../../../../../server/contract/overlay.ts';
import { cutOut, merge, offset, repaired, split } from '../../../../../renderer/map/topology/overlay.ts';
import { extentOf, positionsOf, withPositions } from '../../../../../renderer/map/topology/plane.ts';
import robustCases from '../../../../fixtures/overlay/jts-cases.json' with { type: 'json' };
import { area, areaOf, box, line, plane, taken } from '../../../../support/farm.ts';

const house = area(box(0, 0, 40, 20));
const courtyard = area(box(0, 0, 40, 20), box(10, 5, 30, 15).toReversed());

function parts(result: Geometry[] | string): number[] {
  if (typeof result === 'string') throw new Error(result);
  return result.map((one) => Math.round(areaOf(taken(one))));
}

describe('split', () => {
  it.each([
    ['across', house, line([10, -5], [10, 25]), [600, 200]],
    ['along a bent line', house, line([-5, 10], [20, 10], [20, 25]), [600, 200]],
    ['from side to side exactly', house, line([10, 0], [10, 20]), [600, 200]],
    ['from corner to corner', house, line([0, 0], [40, 20]), [400, 400]],
    ['twice by one line', house, line([10, -5], [10, 25], [30, 25], [30, -5]), [400, 200, 200]],
    ['through a hole', courtyard, line([20, -5], [20, 25]), [300, 300]],
    ['beside a hole', courtyard, line([5, -5], [5, 25]), [500, 100]],
    ['along the side of a hole', courtyard, line([10, -5], [10, 25]), [400, 200]],
  ])('%s', (_, shape, cut, sizes) => {
    expect(parts(split(shape, cut))).toEqual(sizes);
  });

  it.each([
    ['one of its areas', line([10, -5], [10, 25]), [1800, 200]],
    ['two of its areas', line([10, -5], [10, 10], [70, 10], [70, 25]), [1100, 500, 300, 100]],
  ])('leaves the other areas of a shape with its first piece: %s', (_, cut, sizes) => {
    const rows = [house, area(box(60, 0, 100, 20)), area(box(120, 0, 140, 20))].map(({ coordinates }) => coordinates);
    const result = split({ type: 'MultiPolygon', coordinates: rows as number[][][][] }, cut);
    expect(parts(result)).toEqual(sizes);
  });

  it.each([
    ['ends inside', line([20, -5], [20, 10]), 'noCrossing'],
    ['passes by', line([-5, -5], [50, -5]), 'noCrossing'],
    ['runs along a side', line([-5, 0], [50, 0]), 'noCrossing'],
    ['crosses itself', line([10, -5], [10, 25], [30, 25], [5, 10]), 'crossesItself'],
    ['goes back along itself', line([-5, 10], [30, 10], [10, 10], [10, -5]), 'crossesItself'],
  ])('a line that %s', (_, cut, fault) => {
    expect(split(house, cut)).toBe(fault);
  });

  it('keeps corners that were there byte for byte, and their altitude', () => {
    const high = withPositions(house, (position) => position);
    if (high.type !== 'Polygon') throw new Error('it is one');
    const [ring = []] = high.coordinates;
    const lifted: Geometry = { type: 'Polygon', coordinates: [ring.map((position) => [...position, 12.5])] };
    const result = split(lifted, line([10, -5], [10, 25]));
    if (typeof result === 'string') throw new Error(result);
    const kept = result.flatMap(positionsOf).filter((position) => position.length === 3);
    expect(new Set(kept.map(String))).toEqual(new Set(positionsOf(lifted).map(String)));
  });

  it('any line parts any house into areas that add up to it', () => {
    const at = fc.integer({ min: -300, max: 700 }).map((decimetre) => decimetre / 10);
    fc.assert(
      fc.property(fc.tuple(at, at), fc.tuple(at, at), (from, to) => {
        fc.pre(Math.hypot(from[0] - to[0], from[1] - to[1]) > 1);
        const result = split(courtyard, line(from, to));
        if (result === 'noCrossing') return;
        if (typeof result === 'string') throw new Error(result);
        const sum = result.reduce((total, one) => total + areaOf(taken(one)), 0);
        expect(sum).toBeCloseTo(areaOf(courtyard), 1);
      }),
    );
  });
});

describe('merge', () => {
  const one = { mayStayApart: false };
  it.each([
    ['side by side', [house, area(box(40, 0, 60, 20))], 1200],
    ['side by side, drawn 5 cm apart', [house, area(box(40.05, 0, 60, 20))], 1200],
    ['drawn 5 cm one over the other', [house, area(box(39.95, 0, 60, 20))], 1200],
    ['one in another', [house, area(box(5, 5, 10, 10))], 800],
    ['one that fills a hole', [courtyard, area(box(10, 5, 30, 15))], 800],
    ['one in a hole, 3 cm from its edge', [courtyard, area(box(10.03, 5.03, 29.97, 14.97))], 800],
    ['two that are the same', [house, house], 800],
  ])('%s', (_, shapes, size) => {
    const merged = taken(merge(shapes, one));
    expect(merged.type).toBe('Polygon');
    expect(areaOf(merged)).toBeCloseTo(size, -0.3);
  });

  it('refuses what is apart, or makes parts of one shape of it', () => {
    const far = area(box(60, 0, 70, 10));
    expect(merge([house, far], one)).toBe('apart');
    expect(taken(merge([house, far], { mayStayApart: true })).type).toBe('MultiPolygon');
  });

  it('two that touch in a corner stay two parts', () => {
    expect(taken(merge([house, area(box(40, 20, 50, 30))], { mayStayApart: true })).type).toBe('MultiPolygon');
  });
});

describe('cutOut', () => {
  it.each([
    ['a courtyard', box(10, 5, 30, 15), 600],
    [
      'a hole that touches a side in a corner',
      [
        [20, 0],
        [25, 5],
        [20, 10],
        [15, 5],
      ] as const,
      750,
    ],
    ['a notch', box(-5, 5, 10, 15), 700],
    ['a strip from side to side', box(10, -5, 30, 25), 400],
  ])('%s', (_, hole, size) => {
    expect(areaOf(taken(cutOut(house, area(hole))))).toBeCloseTo(size, 1);
  });

  it('says where nothing is left, and where nothing was cut', () => {
    expect(cutOut(house, area(box(-5, -5, 50, 30)))).toBe('nothingLeft');
    expect(cutOut(house, area(box(100, 0, 110, 10)))).toBe('outside');
  });
});

describe('offset', () => {
  it.each([
    ['outwards', house, 2, 44 * 24],
    ['inwards', house, -3, 34 * 14],
    ['a courtyard outwards, whose hole shrinks', courtyard, 2, 44 * 24 - 16 * 6],
    ['a courtyard until its hole closes', courtyard, 6, 52 * 32],
  ])('%s', (_, shape, distance, size) => {
    expect(areaOf(taken(offset(shape, distance)))).toBeCloseTo(size, 0);
  });

  it('leaves nothing of a house further inwards than half its width', () => {
    expect(offset(house, -10.1)).toBe('nothingLeft');
  });

  it('makes a strip of a line', () => {
    const path: Geometry = { type: 'LineString', coordinates: line([0, 0], [100, 0]) };
    expect(areaOf(taken(offset(path, 1.5)))).toBeCloseTo(300, 1);
  });
});

/** Takes shapes of any size to a farm of 500 m. */
function onFarm(wkts: readonly string[]): Geometry[] {
  const shapes = wkts.map((wkt) => wkx.Geometry.parse(wkt).toGeoJSON() as Geometry);
  const extents = [0, 1].map((axis) => extentOf(shapes.flatMap(positionsOf).map((position) => position[axis] ?? 0)));
  const [[west, east], [south, north]] = extents as [[number, number], [number, number]];
  const scale = 500 / Math.max(east - west, north - south);
  return shapes.map((shape) =>
    withPositions(shape, ([x = 0, y = 0]) => plane.position({ x: (x - west) * scale, y: (y - south) * scale })),
  );
}

describe('repaired', () => {
  it('comes to an end with sides that go to and fro on a level', () => {
    const level = fc.tuple(fc.integer({ min: -60, max: 60 }), fc.integer({ min: 0, max: 1 }));
    const corner = level.map(([east, north]) => [east / 10, north * 0.6] as const);
    fc.assert(
      fc.property(fc.array(corner, { minLength: 4, maxLength: 8 }), (corners) => {
        const result = repaired(area(corners));
        if (result !== 'unsound') expect(areaOf(taken(result))).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });
});

describe('pairs that broke overlays elsewhere', () => {
  it.each(robustCases)('$case', ({ a, b }) => {
    const [one, two] = onFarm([a, b]) as [Geometry, Geometry];
    const cut = cutOut(one, two);
    const other = cutOut(two, one);
    const left = cut === 'nothingLeft' ? 0 : areaOf(cut === 'outside' ? one : taken(cut));
    const otherLeft = other === 'nothingLeft' ? 0 : areaOf(other === 'outside' ? two : taken(other));
    const whole = areaOf(taken(merge([one, two], { mayStayApart: true })));
    const near = 25 + whole * 0.002; // gaps of up to 10 cm are closed
    expect(Math.abs(whole - left - areaOf(two))).toBeLessThan(near);
    expect(Math.abs(whole - otherLeft - areaOf(one))).toBeLessThan(near);
  });
});
