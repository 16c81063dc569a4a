import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitBaseline, median, type Point } from '../../../../server/domain/commissioning/baseline.ts';
import { stepResponse } from '../../../../server/domain/commissioning/step-response.ts';

const runs = { numRuns: process.env['TEST_SCALE'] === 'long' ? 5000 : 200 };
const seconds = (from: number, to: number, value: (time_s: number) => number): Point[] =>
  Array.from({ length: to - from }, (_, index) => ({ time_s: from + index, value: value(from + index) }));

function answered(before: (time_s: number) => number, after: (time_s: number) => number, direction: 1 | -1 | 0 = 1) {
  const baseline = fitBaseline(seconds(-20, 0, before));
  if (baseline === null) throw new Error('twenty readings are enough');
  return stepResponse({
    ...{ baseline, after: seconds(1, 121, after), drivenAt_s: 0 },
    ...{ direction, least: 0.3, answersWithin_s: 60 },
  });
}

const flat = (): number => 20;

describe('a baseline', () => {
  it('needs five readings', () => {
    expect(fitBaseline(seconds(0, 4, flat))).toBeNull();
    expect(fitBaseline(seconds(0, 5, flat))).toMatchObject({ mean: 20, slope_per_s: 0, noise: 0 });
  });

  it('takes a certain drift as a drift, and chance as noise', () => {
    expect(fitBaseline(seconds(0, 20, (t) => 20 + 0.01 * t))?.slope_per_s).toBeCloseTo(0.01, 12);
    expect(fitBaseline(seconds(0, 20, (t) => 20 + (t % 2 === 0 ? 0.1 : -0.1)))?.slope_per_s).toBe(0);
  });

  it('has a median that half of the values do not exceed', () => {
    expect([median([3]), median([3, 1]), median([5, 1, 3])]).toEqual([3, 2, 3]);
  });
});

describe('a step', () => {
  it.each<[string, (t: number) => number, 1 | -1 | 0, string]>([
    ['up, as awaited', (t) => 20 + 0.01 * t, 1, 'expected'],
    ['down, where up was awaited', (t) => 20 - 0.01 * t, 1, 'opposite'],
    ['down, where either counts', (t) => 20 - 0.01 * t, 0, 'expected'],
    ['too little', (t) => 20 + 0.002 * t, 1, 'none'],
    ['one spike', (t) => (t === 50 ? 25 : 20), 1, 'none'],
    ['two spikes', (t) => (t === 50 || t === 51 ? 25 : 20), 1, 'none'],
    ['three in a row', (t) => (t >= 50 && t <= 52 ? 25 : 20), 1, 'expected'],
  ])('%s', (_name, after, direction, seen) => {
    expect(answered(flat, after, direction).seen).toBe(seen);
  });

  it('tells when the first of the readings came that show it', () => {
    expect(answered(flat, (t) => (t < 40 ? 20 : 21)).lag_s).toBe(40);
  });

  it('says nothing where noise would have hidden it', () => {
    const restless = (t: number): number => 20 + (t % 2 === 0 ? 0.5 : -0.5);
    expect(answered(restless, restless).seen).toBe('unclear');
  });

  it('does not take the recovery from an earlier trial for an answer', () => {
    const recovery = (t: number): number => 20 - Math.exp(-(t + 20) / 40);
    expect(answered(recovery, recovery, -1).seen).not.toBe('expected');
  });

  it('is the same upside down, and wherever the scale begins', () => {
    const step = fc.record({
      level: fc.double({ min: -100, max: 100, noNaN: true }),
      by: fc.double({ min: -2, max: 2, noNaN: true }).filter((by) => Math.abs(Math.abs(by) - 0.3) > 1e-6),
    });
    fc.assert(
      fc.property(step, ({ level, by }) => {
        const up = answered(
          () => level,
          () => level + by,
        );
        const down = answered(
          () => -level,
          () => -level - by,
          -1,
        );
        expect(down.seen).toBe(up.seen);
        expect(up.seen).toBe(by > 0.3 ? 'expected' : by < -0.3 ? 'opposite' : 'none');
      }),
      runs,
    );
  });

  it('a larger change is never less of an answer', () => {
    const change = fc.double({ min: 0.31, max: 50, noNaN: true });
    fc.assert(
      fc.property(change, change, (one, other) => {
        const [small, large] = [Math.min(one, other), Math.max(one, other)];
        const ramp = (by: number) => answered(flat, (t) => 20 + (by * t) / 120);
        const [weak, strong] = [ramp(small), ramp(large)];
        if (weak.seen === 'expected') expect(strong.seen).toBe('expected');
        expect(strong.lag_s ?? Infinity).toBeLessThanOrEqual(weak.lag_s ?? Infinity);
      }),
      runs,
    );
  });
});
