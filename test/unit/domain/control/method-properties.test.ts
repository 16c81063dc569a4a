import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { method as schema, type Method } from '../../../../server/contract/method.ts';
import type { Curve } from '../../../../server/domain/control/methods/knots.ts';
import { methodCurve } from '../../../../server/domain/control/methods/method.ts';

const zones = ['Europe/Amsterdam', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Asia/Seoul'];
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const made = (given: object, n = 1): Method =>
  schema.parse({ unique_id: id(n), name: 'M', unit: 'C', is_activated: true, ...given });
const curveOf = (given: object, time_zone: string, others: readonly Method[] = []): Curve =>
  methodCurve(made(given), {
    place: { lat: 51.9, lng: 4.4, time_zone },
    find: (wanted) => others.find(({ unique_id }) => unique_id === wanted),
  });

const zone = fc.constantFrom(...zones);
/** Moments about midnight and the changes of the clock, and any of the year. */
const moment = fc.oneof(
  fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2026, 11, 31) }),
  fc
    .tuple(
      fc.constantFrom('2026-03-08', '2026-03-29', '2026-04-05', '2026-10-04', '2026-10-25', '2026-11-01', '2026-06-01'),
      zone,
      fc.integer({ min: -7_200_000, max: 14_400_000 }),
    )
    .map(
      ([date, time_zone, after]) => Temporal.PlainDate.from(date).toZonedDateTime(time_zone).epochMilliseconds + after,
    ),
);
const value = fc.integer({ min: -100, max: 100 });
const step_s = 60;

const daily = fc.tuple(value, value).map(([night, day]) => ({
  kind: 'daily',
  shape: 'linear',
  points: [
    { at: '02:30', value: night },
    { at: '14:00', value: day },
  ],
}));
const sun = fc.tuple(value, value).map(([day, night]) => ({
  kind: 'sun',
  points: [
    { event: 'sunrise', offset_min: -30, value: day, ramp: { minutes: 120 } },
    { event: 'sunset', offset_min: -60, value: night, ramp: { minutes: 90 } },
  ],
}));
const sine = fc.tuple(value, value).map(([low, high]) => ({
  kind: 'sine',
  points: [
    { at: '02:30', value: low },
    { at: '13:00', value: high },
  ],
}));

describe('a method of every day', () => {
  it('has a setpoint at every moment, that moves no faster than its points say', () => {
    fc.assert(
      fc.property(fc.oneof(daily, sun, sine), zone, moment, (given, time_zone, at) => {
        const curve = curveOf(given, time_zone);
        const [now, next] = [curve(at), curve(at + step_s * 1000)];
        expect(now).not.toBeNull();
        // 200 within 90 minutes is the steepest ramp, and an hour that the clock leaves out or repeats makes none of it
        // steeper by more.
        expect(Math.abs(Number(now) - Number(next))).toBeLessThan((200 / 90) * 1.05);
      }),
      { numRuns: 300 },
    );
  });

  it('in a cascade has none either', () => {
    fc.assert(
      fc.property(
        daily,
        sun,
        fc.constantFrom('sum', 'mean', 'least', 'most'),
        zone,
        moment,
        (one, other, combine, time_zone, at) => {
          const points = [{ method_id: id(2) }, { method_id: id(3) }];
          const curve = curveOf({ kind: 'cascade', combine, points }, time_zone, [made(one, 2), made(other, 3)]);
          const [now, next] = [curve(at), curve(at + step_s * 1000)];
          expect(now).not.toBeNull();
          expect(Math.abs(Number(now) - Number(next))).toBeLessThan(2 * (200 / 90) * 1.05);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('a method of a time', () => {
  it('of dates is continuous from its first point on, whatever the clock does', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 2, maxLength: 6 }), zone, moment, (levels, time_zone, at) => {
        const begin = Date.UTC(2026, 0, 1);
        const points = levels.map((level, n) => ({
          at: new Date(begin + n * 50 * 86_400_000).toISOString(),
          value: level,
        }));
        const curve = curveOf({ kind: 'date', shape: 'linear', points }, time_zone);
        const [now, next] = [curve(Math.max(begin, at)), curve(Math.max(begin, at) + step_s * 1000)];
        expect(now).not.toBeNull();
        expect(Math.abs(Number(now) - Number(next))).toBeLessThan(0.01);
      }),
    );
  });

  it('that repeats is the same in every turn, and goes by the time that passes', () => {
    const given = { kind: 'duration', shape: 'linear', repeat: null, starts_at: '2026-01-01T00:00:00.000Z' };
    fc.assert(
      fc.property(
        fc.integer({ min: 60, max: 200_000 }),
        value,
        value,
        zone,
        moment,
        (length_s, from, to, time_zone, at) => {
          const points = [
            { after_s: 0, value: from },
            { after_s: length_s / 2, value: to },
            { after_s: length_s, value: from },
          ];
          const curve = curveOf({ ...given, points }, time_zone);
          expect(curve(at)).not.toBeNull();
          expect(curve(at + length_s * 1000)).toBeCloseTo(Number(curve(at)), 6);
        },
      ),
    );
  });
});
