import { describe, expect, it } from 'vitest';
import {
  linesOf,
  quantityOf,
  rehearsalBody,
  usualRehearsal,
} from '../../../../../renderer/features/control/pid-rehearsal-form.ts';

const gains = [{ kp: 5, ki: 0.01, kd: 0 }];

describe('what a rehearsal is asked', () => {
  it('begins at the setpoint, with a step in the direction of the outputs and weather that gives them work', () => {
    expect(usualRehearsal({ direction: 'raise' }, 'temperature', 18)).toMatchObject({ from: 18, to: 20, temp_c: 5 });
    expect(usualRehearsal({ direction: 'lower' }, 'temperature', 26)).toMatchObject({ to: 24, radiation_w_m2: 600 });
    expect(rehearsalBody(usualRehearsal({ direction: 'both' }, 'co2', 800), gains)).toMatchObject({ to: 1_000 });
  });

  it('is nothing while a field is empty, out of its range, or the setpoint stays', () => {
    const form = usualRehearsal({ direction: 'raise' }, 'temperature', 18);
    expect(rehearsalBody({ ...form, hours: null }, gains)).toBeNull();
    expect(rehearsalBody({ ...form, hours: 100 }, gains)).toBeNull();
    expect(rehearsalBody({ ...form, to: 18 }, gains)).toBeNull();
    expect(rehearsalBody({ ...form, raise: 'lighting' }, gains)).toMatchObject({ raise: 'lighting' });
  });

  it('is offered for what the model of the house knows', () => {
    expect([quantityOf('temperature'), quantityOf('ph'), quantityOf(undefined)]).toEqual(['temperature', null, null]);
  });
});

it('draws columns over one axis, the highest at the top', () => {
  const { paths, least, most, xAt, yAt } = linesOf(
    [-600, 0, 600],
    [
      [18, 18, 20],
      [18, 19, 21],
    ],
    {
      width: 480,
      height: 190,
      pad: 26,
    },
  );
  expect([least, most]).toEqual([18, 21]);
  expect(yAt(21)).toBeLessThan(yAt(18));
  expect([xAt(-600), xAt(600)]).toEqual([26, 454]);
  expect(paths.map((path) => path.split('L').length)).toEqual([3, 3]);
});
