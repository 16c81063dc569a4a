import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  incidence_deg,
  multiSpanFactor,
  roofCoefficient,
  wallCoefficient,
} from '../../../../server/domain/wind/pressure-coefficient.ts';

describe('wallCoefficient', () => {
  /** Swami & Chandra 1987, side ratio 0.5. */
  it.each([
    [14.4, 0.561942],
    [43.2, 0.315992],
    [86.4, -0.455181],
    [129.6, -0.550291],
  ])('at %f degrees is %f as published', (angle, published) => {
    expect(Math.abs(wallCoefficient(angle, 0.5) - published)).toBeLessThan(7e-4);
  });

  it('is 0.6 at normal incidence whatever the plan', () => {
    for (const ratio of [0.25, 0.5, 1, 2, 4]) expect(wallCoefficient(0, ratio)).toBeCloseTo(0.6, 2);
  });

  it('takes side ratios into the range of the correlation', () => {
    expect(wallCoefficient(60, 10)).toBe(wallCoefficient(60, 4));
    expect(wallCoefficient(60, 0.1)).toBe(wallCoefficient(60, 0.25));
  });
});

describe('roofCoefficient', () => {
  const square = 1;
  const long = 2;
  /** Liddament 1996: at 0, 45, 90, 135, 180 degrees. */
  it.each([
    [5, square, [-0.6, -0.6, -0.6, -0.6, -0.6]],
    [15, square, [-0.4, -0.5, -0.6, -0.5, -0.4]],
    [25, square, [-0.4, -0.5, -0.6, -0.5, -0.4]],
    [35, square, [0.3, -0.4, -0.6, -0.4, -0.5]],
    [0, long, [-0.7, -0.7, -0.8, -0.7, -0.7]],
    [20, long, [-0.6, -0.65, -0.7, -0.65, -0.6]],
    [20, 6, [-0.6, -0.65, -0.7, -0.65, -0.6]],
    [45, long, [0.3, -0.4, -0.6, -0.4, -0.5]],
  ])('pitch %f, plan %f', (pitch, plan, row) => {
    const found = [0, 45, 90, 135, 180].map((angle) => roofCoefficient(angle, pitch, plan));
    expect(found).toEqual(row);
  });

  it('is half of each class where two meet, and half of each plan between the two', () => {
    expect(roofCoefficient(0, 10, square)).toBeCloseTo((-0.6 - 0.4) / 2, 12);
    expect(roofCoefficient(0, 30, square)).toBeCloseTo((-0.4 + 0.3) / 2, 12);
    expect(roofCoefficient(0, 20, 1.5)).toBeCloseTo((-0.4 - 0.6) / 2, 12);
  });

  it('never jumps in angle, pitch or plan', () => {
    const anywhere = fc.tuple(
      fc.double({ min: 0, max: 180, noNaN: true }),
      fc.double({ min: 0, max: 60, noNaN: true }),
      fc.double({ min: 1, max: 5, noNaN: true }),
    );
    fc.assert(
      fc.property(anywhere, ([angle, pitch, plan]) => {
        const here = roofCoefficient(angle, pitch, plan);
        for (const there of [
          roofCoefficient(angle + 1e-4, pitch, plan),
          roofCoefficient(angle, pitch + 1e-4, plan),
          roofCoefficient(angle, pitch, plan + 1e-4),
        ]) {
          expect(Math.abs(there - here)).toBeLessThan(1e-4);
        }
      }),
    );
  });

  it('is linear between the angles', () => {
    expect(roofCoefficient(22.5, 45, square)).toBeCloseTo(-0.05, 12);
    expect(roofCoefficient(150, 45, square)).toBeCloseTo(-0.4 - 0.1 / 3, 12);
  });
});

describe('multiSpanFactor', () => {
  it('is the mean of 1, 0.8, 0.6 and 0.6 over four spans across the ridges, and 1 along them', () => {
    expect(multiSpanFactor(1, 90)).toBe(1);
    expect(multiSpanFactor(2, 90)).toBeCloseTo(0.9, 12);
    expect(multiSpanFactor(4, 90)).toBeCloseTo(0.75, 12);
    expect(multiSpanFactor(4, 0)).toBe(1);
    expect(multiSpanFactor(4, 45)).toBeCloseTo(0.875, 12);
  });
});

describe('incidence_deg', () => {
  it.each([
    [0, 0, 0],
    [350, 10, 20],
    [10, 350, 20],
    [270, 90, 180],
    [0, 270, 90],
    [720, -90, 90],
  ])('wind from %f on a face to %f meets at %f', (wind, azimuth, expected) => {
    expect(incidence_deg(wind, azimuth)).toBe(expected);
  });
});
