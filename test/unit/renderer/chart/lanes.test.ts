import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { laneMarks, laneScale, lanesOf, laneStep } from '../../../../renderer/chart/lanes.ts';

const line = { look: 0, times: [], values: [] };

describe('lanes of a chart', () => {
  it('hold what measures the same, by the unit where nobody says what that is', () => {
    const air = { key: 'Temperature °C', title: 'Temperature °C' };
    const lines = [
      { ...line, key: 'a', unit: '°C', lane: air },
      { ...line, key: 'b', unit: '%' },
      { ...line, key: 'c', unit: '°C', lane: air },
    ];
    expect(lanesOf(lines)).toEqual([air, { key: '%', title: '%' }]);
  });

  it('have the decimals of their finest sensor, none where one of them is unknown', () => {
    const of = (unit: string, ...digits: (number | undefined)[]) =>
      digits.map((one, at) => {
        const lane = { key: unit, title: unit, ...(one !== undefined && { digits: one }) };
        return { ...line, key: `${unit}${at}`, unit, lane };
      });
    const lanes = lanesOf([...of('°C', 1, 2, 0), ...of('%', 1, undefined)]);
    expect(lanes.map(({ digits }) => digits)).toEqual([2, undefined]);
  });

  it.each([
    ['no closer than the last digit', 0.05, 1, 2, 0.1],
    ['as far apart as there is room for', 0.5, 1, 2, 0.5],
    ['closer where there would be no two', 0.05, 1, 0.15, 0.05],
    ['as there is room where the digits are unknown', 0.05, undefined, 2, 0.05],
  ])('are marked %s', (_, step, digits, height, marked) => {
    expect(laneStep(step, digits === undefined ? {} : { digits }, height)).toBe(marked);
  });

  it('keep every value below their title, and every mark within their own part of the height', () => {
    const ends = fc.tuple(fc.integer({ min: -1000, max: 1000 }), fc.integer({ min: 0, max: 1000 }));
    fc.assert(
      fc.property(
        ends,
        fc.integer({ min: 1, max: 12 }),
        fc.nat(11),
        fc.integer({ min: 5, max: 40 }),
        (span, count, nth, head_pct) => {
          const index = nth % count;
          const [low, high] = [span[0], span[0] + span[1]];
          const [min, max] = laneScale(low, high, { index, count, head: head_pct / 100 }) as [number, number];
          const share = (value: number): number => (max - value) / (max - min);
          const step = (max - min) / count / 7;
          expect(share(high)).toBeGreaterThanOrEqual((index + head_pct / 100) / count - 1e-9);
          for (const value of [low, ...laneMarks(min, max, step, index, count)]) {
            expect(share(value)).toBeGreaterThanOrEqual(index / count - 1e-9);
            expect(share(value)).toBeLessThanOrEqual((index + 1) / count + 1e-9);
          }
          expect(laneMarks(min, max, step, index, count).length).toBeGreaterThan(3);
        },
      ),
    );
  });
});
