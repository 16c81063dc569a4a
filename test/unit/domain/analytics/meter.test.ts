import { describe, expect, it } from 'vitest';
import { meterRises, passedWithin } from '../../../../server/domain/analytics/meter.ts';

const hour_ms = 3_600_000;
const hourly = (values: readonly number[]) => values.map((value, hour) => ({ time_ms: hour * hour_ms, value }));
const whole = { from_ms: -Infinity, to_ms: Infinity };

describe('what passed through a meter', () => {
  it.each([
    ['nothing read', [], null, 0, []],
    ['one reading', [7], null, 0, []],
    ['a steady rise', [100, 101, 103], null, 0, [1, 2]],
    ['standing still', [5, 5, 5], null, 0, [0, 0]],
    ['a reset: what it says afterwards', [100, 104, 3, 5], null, 0, [4, 3, 2]],
    ['a reset to 0', [100, 0, 2], null, 0, [0, 2]],
    ['a wrap: what was left to it as well', [99_998, 3], 100_000, 0, [5]],
    ['noise below the highest so far counts nothing twice', [10, 9.9, 10, 11], null, 0.2, [0, 1]],
    ['a fall beyond the noise is a reset', [10, 9.7], null, 0.2, [9.7]],
  ] as const)('%s', (_, values, wrapsAt, noise, rises) => {
    expect(meterRises(hourly(values), { wrapsAt, noise }).map(({ value }) => value)).toEqual(rises);
  });

  it('lies between the readings', () => {
    expect(meterRises(hourly([1, 4]), { wrapsAt: null, noise: 0 })).toEqual([{ from_ms: 0, to_ms: hour_ms, value: 3 }]);
  });
});

it.each([
  [0, 2, 6],
  [0, 1, 2],
  [0.5, 1.5, 3],
  [-1, 0, 0],
  [2, 3, 0],
])('from hour %d to hour %d %d passed', (from, to, passed) => {
  const rises = meterRises(hourly([10, 12, 16]), { wrapsAt: null, noise: 0 });
  expect(passedWithin(rises, { from_ms: from * hour_ms, to_ms: to * hour_ms })).toBeCloseTo(passed, 10);
});

it('is the same in all, however a span is cut', () => {
  const rises = meterRises(hourly([0, 3, 3, 9, 1, 4]), { wrapsAt: null, noise: 0 });
  const cut =
    passedWithin(rises, { ...whole, to_ms: 2.3 * hour_ms }) + passedWithin(rises, { ...whole, from_ms: 2.3 * hour_ms });
  expect(cut).toBeCloseTo(13, 10);
});
