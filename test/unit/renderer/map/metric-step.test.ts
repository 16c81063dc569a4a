import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gridLines, metresPerDegree, roundStep, roundStepBelow } from '../../../../renderer/map/metric-step.ts';

describe('metresPerDegree', () => {
  // National Geospatial-Intelligence Agency, length of a degree calculator, WGS84.
  it.each([
    [0, 111_319.491, 110_574.276],
    [45, 78_846.806, 111_131.778],
    [60, 55_800.0, 111_412.24],
  ])('at %d degrees', (latitude, east, north) => {
    const { east_m, north_m } = metresPerDegree(latitude);
    expect(Math.abs(east_m - east)).toBeLessThan(1);
    expect(Math.abs(north_m - north)).toBeLessThan(1);
  });
});

describe('roundStep', () => {
  it.each([
    [0.7, 1],
    [1, 1],
    [1.01, 2],
    [2.5, 5],
    [6, 10],
    [10, 10],
    [137, 200],
    [0.03, 0.05],
  ])('%d gives %d', (least, step) => {
    expect(roundStep(least)).toBe(step);
  });

  it('is never below and never 2.5 times above what is asked', () => {
    fc.assert(
      fc.property(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), (least) => {
        const step = roundStep(least);
        expect(step).toBeGreaterThanOrEqual(least * (1 - 1e-9));
        expect(step).toBeLessThanOrEqual(least * 2.5 * (1 + 1e-9));
      }),
    );
  });
});

describe('roundStepBelow', () => {
  it.each([
    [0.7, 0.5],
    [1, 1],
    [1.99, 1],
    [7, 5],
    [10, 10],
    [137, 100],
    [0.03, 0.02],
  ])('%d gives %d', (most, step) => {
    expect(roundStepBelow(most)).toBe(step);
  });
});

describe('gridLines', () => {
  it('counts from the origin on both sides', () => {
    expect(gridLines({ from: -1, to: 1 }, { origin: 0.1, step: 0.5 })).toEqual([
      { at: -0.9, k: -2 },
      { at: -0.4, k: -1 },
      { at: 0.1, k: 0 },
      { at: 0.6, k: 1 },
    ]);
  });
});
