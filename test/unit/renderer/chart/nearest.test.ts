import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nearestIndex } from '../../../../renderer/chart/nearest.ts';

it.each([
  [[], 5, -1],
  [[7], 5, 0],
  [[1, 4, 9], 0, 0],
  [[1, 4, 9], 100, 2],
  [[1, 4, 9], 6, 1],
  [[1, 4, 9], 7, 2],
])('%j nearest to %d', (times, at, expected) => expect(nearestIndex(times, at)).toBe(expected));

it('finds what a plain search finds', () => {
  const times = fc.uniqueArray(fc.integer({ min: 0, max: 1_000 }), { minLength: 1 });
  fc.assert(
    fc.property(times, fc.integer({ min: -50, max: 1_050 }), (some, at) => {
      const sorted = some.toSorted((a, b) => a - b);
      const distance = Math.min(...sorted.map((time) => Math.abs(time - at)));
      expect(Math.abs((sorted[nearestIndex(sorted, at)] ?? Infinity) - at)).toBe(distance);
    }),
  );
});
