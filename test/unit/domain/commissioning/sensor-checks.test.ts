import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sensorRoles } from '../../../../server/contract/facility.ts';
import {
  fastestRate,
  largestSpike,
  noiseOf,
  plausibilityChecks,
  sensorResult,
} from '../../../../server/domain/commissioning/sensor-checks.ts';
import { sensorLimits } from '../../../../server/domain/commissioning/sensor-limits.ts';

const points = (values: readonly number[]) => values.map((value, time_s) => ({ time_s, value }));

function judged(values: readonly number[], change: { count?: number; peers?: number[] } = {}) {
  const checks = plausibilityChecks({
    role: 'indoor_temp',
    unit: 'C',
    points: points(values),
    count: values.length,
    due: values.length,
    peers: [],
    ...change,
  });
  return {
    result: sensorResult(checks, 'indoor_temp'),
    failed: checks.flatMap((one) => (one.passed === false ? [one.code] : [])),
  };
}

const steady = Array.from({ length: 20 }, (_, index) => 20 + 0.01 * (index % 3));

describe('a thermometer', () => {
  it.each<[string, readonly number[], Parameters<typeof judged>[1], ReturnType<typeof judged>]>([
    ['steady', steady, {}, { result: 'ok', failed: [] }],
    ['unheard', [], { count: 0 }, { result: 'timeout', failed: ['received'] }],
    ['half of it bad', steady, { count: 40 }, { result: 'fail', failed: ['quality'] }],
    ['cold', steady.map((value) => value - 40), {}, { result: 'warn', failed: ['range'] }],
    ['beyond any house', steady.map((value) => value + 80), {}, { result: 'fail', failed: ['range'] }],
    ['with a spike', steady.with(10, 30), {}, { result: 'warn', failed: ['spike', 'noise'] }],
    ['running away', steady.map((value, at) => value + 0.2 * at), {}, { result: 'warn', failed: ['rate'] }],
    ['apart from the others', steady, { peers: [23, 23] }, { result: 'warn', failed: ['agreement'] }],
    ['of three, beside one that is far off', steady, { peers: [20.1, 26] }, { result: 'ok', failed: [] }],
    ['of two, beside one that is far off', steady, { peers: [26] }, { result: 'warn', failed: ['agreement'] }],
  ])('%s', (_name, values, change, expected) => {
    expect(judged(values, change)).toEqual(expected);
  });
});

describe('the figures', () => {
  it('of a spike, of noise and of a rate are what they say', () => {
    expect(largestSpike([1, 1, 5, 1, 1])).toBe(4);
    expect(noiseOf([0, 1, 0, 1, 0, 1])).toBeCloseTo(Math.SQRT1_2, 12);
    expect(fastestRate(points([0, 1, 2, 3, 4, 5, 6, 7, 8]))).toBeCloseTo(60, 9);
  });

  it('do not change with the level, and grow with the scale', () => {
    const values = fc.array(fc.double({ min: -50, max: 50, noNaN: true }), { minLength: 6, maxLength: 40 });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 9 }), (list, factor) => {
        for (const figure of [largestSpike, noiseOf, (all: readonly number[]) => fastestRate(points(all))]) {
          const [plain, moved, scaled] = [list, list.map((v) => v + 100), list.map((v) => v * factor)].map(
            (all) => figure(all) ?? 0,
          );
          expect(moved).toBeCloseTo(plain ?? 0, 6);
          expect(scaled).toBeCloseTo(factor * (plain ?? 0), 6);
        }
      }),
      { numRuns: process.env['TEST_SCALE'] === 'long' ? 3000 : 100 },
    );
  });

  it.each(sensorRoles)('%s: what is usual lies within what is no fault', (role) => {
    const { fault, usual } = sensorLimits[role];
    expect(fault[0]).toBeLessThanOrEqual(usual[0]);
    expect(usual[0]).toBeLessThan(usual[1]);
    expect(usual[1]).toBeLessThanOrEqual(fault[1]);
  });
});
