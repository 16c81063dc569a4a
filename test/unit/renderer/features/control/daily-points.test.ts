import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { methodCreate } from '../../../../../server/contract/method.ts';
import { methodBody, methodSchema, newMethod } from '../../../../../renderer/features/control/method-form.ts';
import { faultsOf } from '../../../../../renderer/features/devices/form/field-faults.ts';
import {
  dayPath,
  inOrder,
  moved,
  pointAt,
  previewPath,
  rangeOf,
  xOf,
  yOf,
} from '../../../../../renderer/features/control/daily-points.ts';

describe('the points of a day', () => {
  it('are where they were drawn, to five minutes and a tenth', () => {
    const range = { least: 0, most: 40 };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 287 }), fc.integer({ min: 0, max: 400 }), (step, tenths) => {
        const at = `${String(Math.floor(step / 12)).padStart(2, '0')}:${String((step % 12) * 5).padStart(2, '0')}`;
        const value = tenths / 10;
        expect(pointAt(xOf(at), yOf(value, range), range)).toEqual({ at, value });
      }),
    );
  });

  it('stay within the day and the picture, and go round midnight by the keys', () => {
    const range = { least: 10, most: 20 };
    expect(pointAt(-500, -500, range)).toEqual({ at: '00:00', value: 20 });
    expect(pointAt(5_000, 5_000, range)).toEqual({ at: '23:55', value: 10 });
    expect(moved({ at: '00:00', value: 18 }, -1, 3)).toEqual({ at: '23:55', value: 18.3 });
  });

  it('are drawn in the order of the day, over midnight too', () => {
    const points = [
      { at: '18:00', value: 20 },
      { at: '06:00', value: 10 },
    ];
    const range = rangeOf([10, 20]);
    expect(inOrder(points).map(({ at }) => at)).toEqual(['06:00', '18:00']);
    const places = dayPath(points, range).slice(1).split('L');
    expect(places).toHaveLength(4);
    expect(places[0]?.split(',')[1]).toBe(yOf(15, range).toFixed(1));
    expect(places[3]?.split(',')[1]).toBe(yOf(15, range).toFixed(1));
    expect(dayPath([], range)).toBe('');
  });

  it('hold until the next where they are steps, the last one over midnight', () => {
    const points = [
      { at: '06:00', value: 10 },
      { at: '18:00', value: 20 },
    ];
    const range = rangeOf([10, 20]);
    const heights = dayPath(points, range, 'step').match(/(?<=[V,])[\d.]+/g);
    expect(heights).toEqual([20, 10, 20, 20].map((value) => yOf(value, range).toFixed(1)));
  });

  it('break where a preview has no setpoint', () => {
    expect(previewPath({ times: [0, 1, 2, 3], values: [null, 5, 5, null] }).match(/M/g)).toHaveLength(1);
    expect(previewPath({ times: [0, 1, 2, 3], values: [5, null, 5, 5] }).match(/M/g)).toHaveLength(2);
  });
});

it('sends a new day that the contract takes, in the order of the day', () => {
  const form = { ...newMethod(), name: 'Day' };
  expect(faultsOf(methodSchema, form).size).toBe(0);
  expect(methodCreate.safeParse(methodBody(form, false)).success).toBe(true);
});
