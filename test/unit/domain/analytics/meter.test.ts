import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { meterSteps, readingsOf } from '../../../../server/domain/analytics/meter.ts';
import { integral, splitAt } from '../../../../server/domain/analytics/step.ts';

const hourMs = 3_600_000;
const hourly = (values: readonly number[]) => ({ times: values.map((_, hour) => hour * hourMs), values });
const passed = (steps: ReturnType<typeof meterSteps>): number => integral(steps, (rate) => rate);

describe('what passed through a meter', () => {
  it.each([
    ['nothing read', [], []],
    ['one reading', [7], []],
    ['a steady rise', [100, 101, 103], [1, 2]],
    ['standing still', [5, 5, 5], [0, 0]],
    ['a restart: what it says afterwards', [100, 104, 3, 5], [4, 3, 2]],
    ['a restart at 0', [100, 0, 2], [0, 2]],
    ['counts that were lost with the power: nothing until it is above', [100, 99, 100, 102], [0, 0, 2]],
    ['one reading below both its neighbours: a mistake', [100, 0, 101, 102], [1, 1]],
    ['a mistake at the end: not known yet', [100, 101, 0], [1, 0]],
    ['two readings of 0 between good ones', [1000, 1001, 0, 0, 1002, 1003], [1, 1, 1]],
    ['an hour of readings of 0', [1000, 0, 0, 0, 0, 0, 1001], [1]],
    ['one reading of 65535', [1000, 1001, 65_535, 1002, 1003], [1, 1, 1]],
    ['two readings of 65535', [1000, 65_535, 65_535, 1001], [1]],
    ['a restart that counts up again past where it was', [10, 0, 2, 4, 6, 8, 10, 12], [0, 2, 2, 2, 2, 2, 2]],
    ['a restart after a great rise', [10, 100, 3, 5], [90, 3, 2]],
    ['a great rise that stays', [10, 1000, 1001], [990, 1]],
    ['0, then a restart', [1000, 0, 3, 5, 7], [0, 3, 2, 2]],
  ] as const)('%s', (_, values, rises) => {
    expect(meterSteps(hourly(values)).map((step) => passed([step]))).toEqual(
      rises.map((rise) => expect.closeTo(rise, 9) as number),
    );
  });

  it('lies between the readings', () => {
    const step = { from_ms: 0, to_ms: hourMs, value: 3 / 3600, isRestart: false };
    expect(meterSteps(hourly([1, 4]))).toEqual([step]);
  });

  it('marks a step in which the counter began again', () => {
    expect(meterSteps(hourly([100, 104, 3, 5])).map(({ isRestart }) => isRestart)).toEqual([false, true, false]);
  });

  it('counts no rise that is faster than the device can be', () => {
    const most_per_s = 10 / 3600;
    expect(passed(meterSteps(hourly([100, 101, 65_535]), { most_per_s }))).toBeCloseTo(1, 9);
    expect(passed(meterSteps(hourly([100, 101, 65_535, 102]), { most_per_s }))).toBeCloseTo(2, 9);
    expect(passed(meterSteps(hourly([100, 110, 120]), { most_per_s }))).toBeCloseTo(20, 9);
  });

  it('is not changed by one or two mistaken readings anywhere between good ones', () => {
    const rises = fc.array(fc.nat(50), { minLength: 2, maxLength: 40 });
    const mistake = fc.constantFrom(0, 65_535, 4_294_967_295);
    fc.assert(
      fc.property(
        rises,
        fc.integer({ min: 3_000, max: 20_000 }),
        mistake,
        fc.constantFrom(1, 2),
        fc.nat(),
        (list, start, wrong, times, place) => {
          let counter = start;
          const good = [start, ...list.map((rise) => (counter += rise))];
          const at = 1 + (place % (good.length - 1));
          const values = [...good.slice(0, at), ...Array.from({ length: times }, () => wrong), ...good.slice(at)];
          expect(passed(meterSteps(hourly(values)))).toBeCloseTo(counter - start, 5);
        },
      ),
    );
  });

  it('is the same in all, however often it is read and however a span is cut', () => {
    const rises = fc.array(fc.nat(50), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(rises, fc.nat(200), fc.integer({ min: 1, max: 7 }), (list, start, every) => {
        let counter = start;
        const whole = hourly([start, ...list.map((rise) => (counter += rise))]);
        const isKept = (_: number, hour: number): boolean => hour % every === 0 || hour === list.length;
        const seldom = { times: whole.times.filter(isKept), values: whole.values.filter(isKept) };
        const parts = splitAt(meterSteps(seldom), [0, 1.3 * hourMs, 20 * hourMs, 100 * hourMs]);
        expect(passed(parts.flat())).toBeCloseTo(counter - start, 6);
        expect(passed(meterSteps(whole))).toBeCloseTo(counter - start, 6);
      }),
    );
  });
});

describe('a rollup of readings', () => {
  const row = { first_ms: 0, first: 10, last_ms: 60_000, last: 12, min: 10, max: 12 };

  it.each([
    [
      'that rose',
      row,
      [
        [0, 10],
        [60_000, 12],
      ],
    ],
    [
      'that began again',
      { ...row, last: 2, min: 0, max: 14 },
      [
        [0, 10],
        [30_000, 14],
        [60_000, 2],
      ],
    ],
    ['that is one reading', { ...row, first_ms: 60_000, first: 12, min: 12 }, [[60_000, 12]]],
  ])('%s', (_, stretch, readings) => {
    expect(readingsOf(stretch)).toEqual(readings);
  });
});
