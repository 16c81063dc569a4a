import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meanDirection_deg, vectorOf, vectorOfRow } from '../../../../server/domain/series/direction.ts';
import { MeanDirections } from '../../../../server/domain/series/mean-directions.ts';

const sumOf = (directions: readonly number[]) =>
  directions
    .map(vectorOf)
    .reduce((all, one) => ({ sin_sum: all.sin_sum + one.sin_sum, cos_sum: all.cos_sum + one.cos_sum }), {
      sin_sum: 0,
      cos_sum: 0,
    });
const meanOf = (...directions: number[]) => meanDirection_deg(sumOf(directions), directions.length);
/** Degrees from one direction to another, 0 to 180. */
const apart = (one: number, other: number) => Math.abs(((one - other + 540) % 360) - 180);

describe('the mean of directions', () => {
  it.each([
    [[350, 10], 0],
    [[350, 20], 5],
    [[90, 180], 135],
    [[270], 270],
    [[10, 20, 30], 20],
  ])('of %j is %d', (directions, mean) => {
    expect(apart(meanOf(...directions) ?? NaN, mean)).toBeLessThan(1e-9);
  });

  it('is none where they cancel each other', () => {
    expect(meanOf(0, 180)).toBeNull();
    expect(meanOf(0, 90, 180, 270)).toBeNull();
  });

  it('turns with them, wherever north is', () => {
    const near = fc.array(fc.double({ min: -80, max: 80, noNaN: true }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(near, fc.double({ min: 0, max: 360, noNaN: true }), (list, by) => {
        const turned = meanOf(...list.map((one) => (one + by + 360) % 360)) ?? NaN;
        expect(apart(turned, (meanOf(...list) ?? NaN) + by)).toBeLessThan(1e-6);
        expect(turned).toBeGreaterThanOrEqual(0);
        expect(turned).toBeLessThanOrEqual(360);
      }),
    );
  });
});

describe('the vectors of a row whose samples are gone', () => {
  it('are its mean where it cannot have crossed north, else the mean of its ends', () => {
    const row = { count: 4, sum: 120, min: 10, max: 50, first: 10, last: 50 };
    expect(apart(meanDirection_deg(vectorOfRow(row), 4) ?? NaN, 30)).toBeLessThan(1e-9);
    const crossing = { count: 2, sum: 360, min: 10, max: 350, first: 350, last: 10 };
    expect(apart(meanDirection_deg(vectorOfRow(crossing), 2) ?? NaN, 0)).toBeLessThan(1e-9);
  });
});

describe('MeanDirections', () => {
  const sample = (timeMs: number, value: number) => ({
    first_ms: timeMs,
    last_ms: timeMs,
    count: 1,
    only: value,
    ...vectorOf(value),
  });
  const options = { from_ms: 0, to_ms: 40_000, max_points: 16, gap_ms: 15_000 };

  it('draws the mean of each column in its middle, and a single sample as it is', () => {
    const thinning = new MeanDirections(options);
    for (const one of [sample(0, 350), sample(4_000, 10), sample(12_000, 200)]) thinning.add(one);
    const { times, values } = thinning.end();
    expect(times.slice(0, 2)).toEqual([2_000, 12_000]);
    expect(apart(values[0] ?? NaN, 0)).toBeLessThan(1e-9);
    expect(values[1]).toBe(200);
  });

  it('breaks the line where nothing came', () => {
    const thinning = new MeanDirections(options);
    for (const one of [sample(0, 90), sample(35_000, 90)]) thinning.add(one);
    expect(thinning.end().values).toEqual([90, null, 90]);
  });
});
