import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { laneMarks, laneScale, lanesOf } from '../../../../renderer/chart/lanes.ts';

const line = { look: 0, times: [], values: [] };

describe('lanes of a chart', () => {
  it('hold what measures the same, by the unit where nobody says what that is', () => {
    const air = { key: 'Temperature °C', title: 'Temperature, °C' };
    const lines = [
      { ...line, key: 'a', unit: '°C', lane: air },
      { ...line, key: 'b', unit: '%' },
      { ...line, key: 'c', unit: '°C', lane: air },
    ];
    expect(lanesOf(lines)).toEqual([air, { key: '%', title: '%' }]);
  });

  it('keep every value and every mark within their own part of the height', () => {
    const ends = fc.tuple(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: 0, max: 1000 }));
    fc.assert(
      fc.property(ends, fc.integer({ min: 1, max: 12 }), fc.nat(11), (span, count, nth) => {
        const index = nth % count;
        const [low, high] = [span[0], span[0] + span[1]];
        const [min, max] = laneScale(low, high, index, count) as [number, number];
        const share = (value: number): number => (max - value) / (max - min);
        const step = (max - min) / count / 7;
        for (const value of [low, high, ...laneMarks(min, max, step, index, count)]) {
          expect(share(value)).toBeGreaterThanOrEqual(index / count - 1e-9);
          expect(share(value)).toBeLessThanOrEqual((index + 1) / count + 1e-9);
        }
        expect(laneMarks(min, max, step, index, count).length).toBeGreaterThan(3);
      }),
    );
  });
});
