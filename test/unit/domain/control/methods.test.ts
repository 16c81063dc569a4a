import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { method as schema, methodKind, type Method, type SunPoint } from '../../../../server/contract/method.ts';
import { methodFault } from '../../../../server/domain/control/methods/faults.ts';
import { methodCurve } from '../../../../server/domain/control/methods/method.ts';
import type { Place } from '../../../../server/domain/solar/sun-day.ts';

const place: Place = { lat: 51.9, lng: 4.4, time_zone: 'Europe/Amsterdam' };
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const made = (given: object, n = 1): Method =>
  schema.parse({ unique_id: id(n), name: 'M', unit: 'C', is_activated: true, ...given });
const curveOf = (given: object, others: readonly Method[] = [], at = place) =>
  methodCurve(made(given), { place: at, find: (wanted) => others.find(({ unique_id }) => unique_id === wanted) });
const faultOf = (given: object, others: readonly Method[] = [], n = 1) =>
  methodKind.stored?.faults(made(given, n))[0] ??
  methodFault(made(given, n), 2026, { place, find: (wanted) => others.find(({ unique_id }) => unique_id === wanted) });
/** Epoch ms of a time of the site's clock. */
const local = (text: string): number =>
  Temporal.PlainDateTime.from(text).toZonedDateTime(place.time_zone).epochMilliseconds;

const daily = {
  kind: 'daily',
  shape: 'linear',
  points: [
    { at: '06:00', value: 18 },
    { at: '12:00', value: 24 },
    { at: '22:00', value: 16 },
  ],
};
/** From 2 to 3 o'clock a clock is put on. */
const leftOut = [
  { at: '02:00', value: 0 },
  { at: '02:30', value: 1 },
  { at: '12:00', value: 0 },
];
const sine = {
  kind: 'sine',
  points: [
    { at: '02:00', value: 18 },
    { at: '14:00', value: 26 },
  ],
};

describe('a method', () => {
  it.each<[string, object, string, number | null]>([
    ['daily at a point', daily, '2026-05-04T12:00', 24],
    ['daily between points', daily, '2026-05-04T09:00', 21],
    ['daily over midnight', daily, '2026-05-04T02:00', 17],
    ['daily before an hour that a clock change leaves out', { ...daily, points: leftOut }, '2026-03-29T01:00', 0],
    ['daily after it', { ...daily, points: leftOut }, '2026-03-29T03:00', 1],
    ['daily in steps', { ...daily, shape: 'step' }, '2026-05-04T05:59', 16],
    ['daily of one point', { ...daily, points: [{ at: '06:00', value: 18 }] }, '2026-05-04T05:59', 18],
    ['at rest', { ...daily, is_activated: false }, '2026-05-04T12:00', null],
    ['sine at its height', sine, '2026-05-04T14:00', 26],
    ['sine half way', sine, '2026-05-04T08:00', 22],
    ['date before it begins', dates('linear'), '2026-04-30T23:59', null],
    ['date half way', dates('linear'), '2026-05-06T02:00', 19],
    ['date in steps', dates('step'), '2026-05-06T02:00', 18],
    ['date at a time after all', dates('linear'), '2027-01-01T00:00', 20],
    ['run before its second turn', run(1), '2026-05-04T00:30', 15],
    ['run in its second turn', run(1), '2026-05-04T01:15', 12.5],
    ['run after its turns', run(1), '2026-05-04T02:01', 20],
    ['run for ever', run(null), '2026-06-04T00:45', 17.5],
    ['run not started', run(1), '2026-05-03T23:30', null],
  ])('%s', (_name, given, at, expected) => {
    const value = curveOf(given)(local(at));
    if (expected === null) expect(value).toBeNull();
    else expect(value).toBeCloseTo(expected, 6);
  });

  function dates(shape: string): object {
    const points = [
      { at: '2026-05-01T00:00:00.000Z', value: 18 },
      { at: '2026-05-11T00:00:00.000Z', value: 20 },
    ];
    return { kind: 'date', shape, points };
  }

  function run(repeat: number | null): object {
    const points = [
      { after_s: 0, value: 10 },
      { after_s: 3600, value: 20 },
    ];
    return { kind: 'duration', shape: 'linear', points, repeat, starts_at: '2026-05-03T22:00:00.000Z' };
  }

  it('of Bezier runs as the timing functions of CSS do', () => {
    // cubic-bezier(0.25, 0.1, 0.25, 1) is 0.8024 at half the time (CSS Easing Functions Level 1, "ease").
    const points = [
      { at: '00:00', value: 0, after: { minutes: 180, value: 0.1 } },
      { at: '12:00', value: 1, before: { minutes: 540, value: 1 } },
    ];
    expect(curveOf({ kind: 'bezier', points })(local('2026-05-04T06:00'))).toBeCloseTo(0.8024, 4);
  });

  it.each([
    ['sum', 42],
    ['mean', 21],
    ['least', 18],
    ['most', 24],
  ])('of cascade takes the %s', (combine, expected) => {
    const others = [made(daily, 2), made({ ...daily, points: [{ at: '00:00', value: 18 }] }, 3)];
    const given = { kind: 'cascade', combine, points: [{ method_id: id(2) }, { method_id: id(3) }] };
    expect(curveOf(given, others)(local('2026-05-04T12:00'))).toBeCloseTo(expected, 6);
    expect(curveOf(given, others.slice(0, 1))(local('2026-05-04T12:00'))).toBeNull();
  });

  it('of cascade scales by per cent, and never turns in a circle', () => {
    const half = made({ ...daily, unit: '%', points: [{ at: '00:00', value: 50 }] }, 3);
    const given = { kind: 'cascade', combine: 'percent', points: [{ method_id: id(2) }, { method_id: id(3) }] };
    expect(curveOf(given, [made(daily, 2), half])(local('2026-05-04T12:00'))).toBeCloseTo(12, 6);
    const circle = made({ kind: 'cascade', combine: 'sum', points: [{ method_id: id(1) }] });
    expect(curveOf(circle, [circle])(0)).toBeNull();
  });
});

describe('a method by the sun', () => {
  const points: SunPoint[] = [
    { event: 'sunrise', offset_min: -60, value: 20, ramp: { per_h: 2 } },
    { event: 'noon', value: 24, ramp: { minutes: 120 } },
    { event: 'sunset', offset_min: 30, value: 16 },
    { event: 'clock', at: '23:00', value: 15, ramp: { minutes: 60 } },
  ];
  const sun = { kind: 'sun', points };

  it('ramps from the value before', () => {
    // Sunrise of 4 May 2026 at 6:04, noon at 13:39, sunset at 21:15 in Rotterdam.
    const value = curveOf(sun);
    const at = (time: string) => value(local(`2026-05-04T${time}`)) ?? NaN;
    expect(at('04:30')).toBeCloseTo(15, 6);
    expect(at('06:04')).toBeCloseTo(17, 0);
    expect(at('10:00')).toBeCloseTo(20, 6);
    expect(at('14:39')).toBeCloseTo(22, 0);
    expect(at('20:00')).toBeCloseTo(24, 6);
    expect(at('22:30')).toBeCloseTo(16, 6);
    expect(at('23:30')).toBeCloseTo(15.5, 6);
  });

  it('refuses an order that crosses on some day of the year, and says which', () => {
    expect(faultOf(sun)).toBeUndefined();
    const early = {
      kind: 'sun',
      points: [
        { event: 'clock', at: '07:00', value: 1 },
        { event: 'sunrise', value: 2 },
      ],
    };
    expect(faultOf(early)?.message).toMatch(/ on 2026-0[123]-/);
    expect(faultOf({ kind: 'sun', points: [{ event: 'sunrise', at: '07:00', value: 1 }] })?.path).toBe('points[0].at');
  });

  it('knows the polar day and night', () => {
    const polar = { lat: 78.2, lng: 15.6, time_zone: 'Arctic/Longyearbyen' };
    const day = {
      kind: 'sun',
      points: [
        { event: 'sunrise', value: 1 },
        { event: 'sunset', value: 0 },
      ],
    };
    const value = curveOf(day, [], polar);
    const shareOf = (from: string) =>
      Array.from({ length: 96 }, (_, n) => value(Date.parse(from) + n * 900_000)).filter((one) => one === 1).length /
      96;
    expect(shareOf('2026-06-21T00:00:00Z')).toBeGreaterThan(0.98);
    expect(shareOf('2026-12-21T00:00:00Z')).toBe(0);
  });
});

describe('every daily method', () => {
  const clock = fc
    .uniqueArray(fc.integer({ min: 0, max: 1439 }), { minLength: 2, maxLength: 6 })
    .map((minutes) => [...minutes].sort((a, b) => a - b).map(written));
  const values = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 6, maxLength: 6 });
  const handle = fc.option(
    fc.record({ minutes: fc.integer({ min: 0, max: 1440 }), value: fc.integer({ min: -100, max: 100 }) }),
    {
      nil: undefined,
    },
  );
  const given = fc
    .record({
      kind: fc.constantFrom('daily', 'sine', 'bezier'),
      clock,
      values,
      handles: fc.array(handle, { minLength: 12 }),
    })
    .map(({ kind, clock: times, values: levels, handles }) => ({
      kind,
      ...(kind === 'daily' && { shape: 'linear' }),
      points: times.slice(0, kind === 'sine' ? 2 : 6).map((at, n) => ({
        at,
        value: levels[n],
        ...(kind === 'bezier' && { before: handles[2 * n], after: handles[2 * n + 1] }),
      })),
    }));
  function written(minutes: number): string {
    return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  }

  it('is the same every day, and has its points by the clock on either side of a clock change', () => {
    const plain = fc.constantFrom('2026-01-01', '2026-05-04', '2028-02-29');
    const changing = fc.constantFrom('2026-03-28', '2026-03-30', '2026-10-24', '2026-10-25', '2026-10-26');
    fc.assert(
      fc.property(given, plain, changing, fc.integer({ min: 0, max: 1439 }), (one, date, other, minutes) => {
        const value = curveOf(one);
        const time = written(minutes);
        const expected = value(local(`2026-07-07T${time}`)) ?? NaN;
        expect(value(local(`${date}T${time}`))).toBeCloseTo(expected, 5);
        for (const { at, value: level = NaN } of one.points)
          expect(value(local(`${other}T${at}`))).toBeCloseTo(level, 5);
      }),
    );
  });

  it('has no jump, neither at midnight nor at a clock change', () => {
    const night = fc.constantFrom('2026-03-28T12:00', '2026-10-24T12:00', '2026-05-04T12:00', '2028-02-28T12:00');
    fc.assert(
      fc.property(given, night, fc.integer({ min: 0, max: 86_400_000 }), (one, from, after) => {
        const value = curveOf(one);
        const at = local(from) + after;
        // 200 in a minute is the steepest that points allow; a Bezier can stand upright where its handles meet.
        if (one.kind !== 'bezier') expect(Math.abs((value(at) ?? NaN) - (value(at + 1) ?? NaN))).toBeLessThan(0.02);
        expect(value(at)).toEqual(expect.any(Number));
        expect(Math.abs(value(at) ?? NaN)).toBeLessThanOrEqual(100.001);
      }),
      { numRuns: 200 },
    );
  });
});

describe('what is wrong with a method', () => {
  it.each<[object, string | undefined]>([
    [daily, undefined],
    [
      {
        ...daily,
        points: [
          { at: '06:00', value: 1 },
          { at: '06:00', value: 2 },
        ],
      },
      'points[1]',
    ],
    [
      {
        kind: 'sine',
        points: [
          { at: '06:00', value: 1 },
          { at: '06:00', value: 2 },
        ],
      },
      'points[1]',
    ],
    [{ kind: 'cascade', combine: 'sum', points: [{ method_id: id(2) }] }, undefined],
    [{ kind: 'cascade', combine: 'sum', points: [{ method_id: id(9) }] }, 'points[0].method_id'],
    [{ kind: 'cascade', combine: 'sum', points: [{ method_id: id(1) }] }, 'points[0].method_id'],
    [{ kind: 'cascade', combine: 'sum', points: [{ method_id: id(3) }] }, 'points[0].method_id'],
    [{ kind: 'cascade', combine: 'sum', unit: '%', points: [{ method_id: id(2) }] }, 'points[0].method_id'],
  ])('%j', (given, path) => {
    const back = made({ kind: 'cascade', combine: 'sum', points: [{ method_id: id(1) }] }, 3);
    const self = made(given);
    expect(faultOf(given, [self, made(daily, 2), back])?.path).toBe(path);
  });
});
