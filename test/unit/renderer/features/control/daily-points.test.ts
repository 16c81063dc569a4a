import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dayPath,
  inOrder,
  knobsOf,
  movedTo,
  pointAt,
  previewPath,
  rangeOf,
  stepped,
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
    expect(stepped({ at_min: 0, value: 18 }, -1, 3)).toEqual({ at: '23:55', value: 18.3 });
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

describe('a smooth curve', () => {
  const hill = [
    { at: '06:00', value: 16, after: { minutes: 120, value: 16 } },
    { at: '22:00', value: 20, before: { minutes: 60, value: 20 } },
  ];

  it('is drawn from the day before to the day after, by its handles', () => {
    const range = { least: 10, most: 30 };
    const path = dayPath(hill, range, 'bezier');
    expect(path.match(/C/g)).toHaveLength(5);
    const at = (time: string, value: number): string => `${xOf(time).toFixed(1)},${yOf(value, range).toFixed(1)}`;
    expect(path).toContain(`C${at('08:00', 16)} ${at('21:00', 20)} ${at('22:00', 20)}`);
    expect(dayPath(hill, range, 'sine').match(/C/g)).toHaveLength(5);
  });

  it('takes the handles of a point along, and keeps each on its side', () => {
    const [after, point] = knobsOf(hill, 'bezier');
    expect([after?.part, after?.at, point?.part]).toEqual(['after', '08:00', 'point']);
    if (after === undefined || point === undefined) throw new Error('there are knobs');
    expect(movedTo(hill, point, { at: '07:00', value: 17.5 })[0]).toEqual({
      at: '07:00',
      value: 17.5,
      after: { minutes: 120, value: 17.5 },
    });
    expect(movedTo(hill, after, { at: '09:00', value: 18 })[0]?.after).toEqual({ minutes: 180, value: 18 });
    expect(movedTo(hill, after, { at: '05:00', value: 18 })[0]?.after).toEqual({ minutes: 0, value: 18 });
  });

  it('has no handles where it is none', () => {
    expect(knobsOf(hill, 'sine').map(({ part }) => part)).toEqual(['point', 'point']);
  });
});
