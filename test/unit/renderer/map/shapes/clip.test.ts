import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clipLine, clipRing, type Frame } from '../../../../../renderer/map/shapes/clip.ts';

const frame: Frame = { left: 0, top: 0, right: 10, bottom: 10 };
const place = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const path = fc.array(fc.tuple(place, place), { minLength: 2, maxLength: 12 }).map((places) => places.flat());

function expectWithin(points: readonly number[]): void {
  for (const value of points) {
    expect(value).toBeGreaterThanOrEqual(-1e-6);
    expect(value).toBeLessThanOrEqual(10 + 1e-6);
  }
}

/** By the shoelace formula. */
function areaOf(ring: readonly number[]): number {
  let twice = 0;
  for (let at = 0; at < ring.length; at += 2) {
    const [ax = 0, ay = 0] = ring.slice(at, at + 2);
    const [bx = ring[0] ?? 0, by = ring[1] ?? 0] = ring.slice(at + 2, at + 4);
    twice += ax * by - bx * ay;
  }
  return Math.abs(twice) / 2;
}

describe('a ring in a frame', () => {
  it.each([
    ['inside, as it is', [1, 1, 4, 1, 4, 4, 1, 4], 9],
    ['around it, the whole frame', [-5, -5, 50, -5, 50, 50, -5, 50], 100],
    ['over a corner', [5, 5, 15, 5, 15, 15, 5, 15], 25],
    ['that passes from side to side', [-9, 2, 30, 2, 30, 4, -9, 4], 20],
    ['beside it, nothing', [20, 20, 30, 20, 30, 30], 0],
    ['a triangle with its tip outside', [0, 0, 10, 0, 5, 20], 75],
  ])('%s', (_what, ring, area) => {
    expect(areaOf(clipRing(ring, frame))).toBeCloseTo(area, 9);
  });

  it('never leaves the frame', () => {
    fc.assert(fc.property(path, (ring) => expectWithin(clipRing(ring, frame))));
  });
});

describe('a line in a frame', () => {
  it.each([
    ['inside, as it is', [1, 1, 4, 1, 4, 4], [[1, 1, 4, 1, 4, 4]]],
    ['through it', [-5, 5, 15, 5], [[0, 5, 10, 5]]],
    [
      'that leaves and comes back, two pieces',
      [5, 5, 15, 5, 15, 8, 5, 8],
      [
        [5, 5, 10, 5],
        [10, 8, 5, 8],
      ],
    ],
    ['beside it, none', [-5, -5, -5, 20], []],
    ['past a corner, none', [-3, 2, 2, -3], []],
  ])('%s', (_what, line, pieces) => {
    expect(clipLine(line, frame)).toEqual(pieces);
  });

  it('never leaves the frame', () => {
    fc.assert(fc.property(path, (line) => clipLine(line, frame).forEach(expectWithin)));
  });
});
