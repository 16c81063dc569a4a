import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import {
  crossing,
  lasting,
  type Edge,
  type Lasting,
  type Side,
} from '../../../../server/domain/control/triggers/crossing.ts';
import { lookFrom, missed, nextDue, type Schedule } from '../../../../server/domain/control/triggers/schedule.ts';
import type { Place } from '../../../../server/domain/solar/sun-day.ts';

const place: Place = { lat: 51.9, lng: 4.4, time_zone: 'Europe/Amsterdam' };
const at = (text: string): number => Temporal.ZonedDateTime.from(text).epochMilliseconds;
const shown = (moment: number | null, zone = place.time_zone): string | null =>
  moment === null
    ? null
    : Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone).toString().slice(0, 22);

const point = (time: string, weekdays?: number[]): Schedule => ({ kind: 'time_point', at: time, weekdays });
const span = (from: string, to: string, period_s = 1800): Schedule => ({ kind: 'time_span', from, to, period_s });
const local = (text: string): string => `${text}[Europe/Amsterdam]`;

describe('a schedule', () => {
  it.each<[string, Schedule, string, string]>([
    ['later today', point('06:00'), '2026-05-04T05:59', '2026-05-04T06:00:00+02'],
    ['tomorrow', point('06:00'), '2026-05-04T06:00', '2026-05-05T06:00:00+02'],
    ['on a weekday', point('06:00', [1]), '2026-05-04T06:00', '2026-05-11T06:00:00+02'],
    ['on 29 February', point('06:00'), '2028-02-28T06:00', '2028-02-29T06:00:00+01'],
    ['in the hour that is left out', point('02:30'), '2026-03-28T12:00', '2026-03-29T03:00:00+02'],
    ['after the hour that is left out', point('03:30'), '2026-03-29T00:00', '2026-03-29T03:30:00+02'],
    ['in the hour that comes twice', point('02:30'), '2026-10-24T12:00', '2026-10-25T02:30:00+02'],
    ['not again in the hour that comes twice', point('02:30'), '2026-10-25T02:30', '2026-10-26T02:30:00+01'],
    ['at the begin of a span', span('22:00', '04:00'), '2026-05-04T12:00', '2026-05-04T22:00:00+02'],
    ['in a span over midnight', span('22:00', '04:00'), '2026-05-04T01:10', '2026-05-04T01:30:00+02'],
    ['after the end of a span', span('22:00', '04:00'), '2026-05-04T03:30', '2026-05-04T22:00:00+02'],
    ['in a span over the clock change', span('01:00', '04:00', 3600), '2026-03-29T01:00', '2026-03-29T03:00:00+02'],
  ])('is due %s', (_name, schedule, after, expected) => {
    expect(shown(nextDue(schedule, at(local(after)), place))).toBe(expected);
  });

  it('runs a span for as many hours as the day of a clock change has', () => {
    const hours = (date: string): number => {
      const fromMs = at(local(`${date}T00:00`)) - 1;
      return missed(span('00:00', '06:00', 3600), { from_ms: fromMs, to_ms: fromMs + 43_200_000 }, place).count;
    };
    expect([hours('2026-03-28'), hours('2026-03-29'), hours('2026-10-25')]).toEqual([6, 5, 7]);
  });

  it('knows the polar summer and winter', () => {
    const tromso: Place = { lat: 69.65, lng: 18.96, time_zone: 'Europe/Oslo' };
    const sunrise: Schedule = { kind: 'sunrise_sunset', event: 'sunrise' };
    // The midnight sun of Tromso lasts from about 18 May to 26 July, its polar night from 27 November to 15 January.
    expect(shown(nextDue(sunrise, at('2026-06-01T00:00[Europe/Oslo]'), tromso))).toMatch(/^2026-07-2[5-8]/);
    expect(shown(nextDue(sunrise, at('2026-12-01T00:00[Europe/Oslo]'), tromso))).toMatch(/^2027-01-1[4-6]/);
    expect(shown(nextDue({ ...sunrise, event: 'noon' }, at('2026-12-01T00:00[Europe/Oslo]'), tromso))).toMatch(
      /^2026-12-01T11/,
    );
    expect(nextDue(sunrise, 0, { ...tromso, lat: 90 })).toBeNull();
  });

  it('is due with the sun, before or after it', () => {
    const due = (offset_min: number) =>
      shown(nextDue({ kind: 'sunrise_sunset', event: 'sunset', offset_min }, at(local('2026-05-04T12:00')), place));
    expect(due(0)).toMatch(/^2026-05-04T21:1/);
    expect(due(-90)).toMatch(/^2026-05-04T19:4/);
    expect(due(200)).toMatch(/^2026-05-05T00:3/);
  });

  it('is due once a day, on every day of years with all changes of the clock', () => {
    const zone = fc.constantFrom(
      'Europe/Amsterdam',
      'America/New_York',
      'Australia/Lord_Howe',
      'Africa/Casablanca',
      'Asia/Seoul',
    );
    const minutes = fc.integer({ min: 0, max: 1439 });
    fc.assert(
      fc.property(zone, minutes, fc.integer({ min: 2024, max: 2032 }), (time_zone, minute, year) => {
        const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
        const fromMs =
          Temporal.PlainDate.from({ year, month: 2, day: 20 }).toZonedDateTime(time_zone).epochMilliseconds - 1;
        const toMs =
          Temporal.PlainDate.from({ year, month: 4, day: 10 }).toZonedDateTime(time_zone).epochMilliseconds - 1;
        const days = Temporal.PlainDate.from({ year, month: 4, day: 10 }).since({ year, month: 2, day: 20 }).days;
        expect(missed(point(time), { from_ms: fromMs, to_ms: toMs }, { ...place, time_zone }).count).toBe(days);
      }),
      { numRuns: 15 },
    );
  });

  it('keeps an interval on its grid, and never finds the same moment again', () => {
    const whole = fc.integer({ min: 0, max: 2_000_000_000 });
    fc.assert(
      fc.property(whole, fc.integer({ min: 1, max: 100_000 }), whole, (anchorMs, period_s, afterMs) => {
        const due = nextDue({ kind: 'interval', period_s, anchor_ms: anchorMs }, afterMs, place) ?? NaN;
        expect(due).toBeGreaterThan(afterMs >= anchorMs ? afterMs : anchorMs - 1);
        expect((due - anchorMs) % (period_s * 1000)).toBe(0);
        if (afterMs >= anchorMs) expect(due - afterMs).toBeLessThanOrEqual(period_s * 1000);
      }),
    );
  });

  it('counts what was missed, and repeats nothing after a clock that was set back', () => {
    const fromMs = at(local('2026-03-27T12:00'));
    const found = missed(point('06:00'), { from_ms: fromMs, to_ms: at(local('2026-03-30T12:00')) }, place);
    expect([found.count, shown(found.last_ms)]).toEqual([3, '2026-03-30T06:00:00+02']);
    expect(missed(point('06:00'), { from_ms: fromMs, to_ms: fromMs }, place)).toEqual({ count: 0, last_ms: null });
    expect(missed({ kind: 'interval', period_s: 1, anchor_ms: 0 }, { from_ms: 0, to_ms: fromMs }, place).count).toBe(
      10_000,
    );
    const [now, hour] = [fromMs, 3_600_000];
    expect(lookFrom(now + hour, now)).toBe(now + hour);
    expect(lookFrom(now + 8_760 * hour, now)).toBe(now);
    expect(lookFrom(now - hour, now)).toBe(now - hour);
    expect(lookFrom(null, now)).toBe(now);
  });
});

describe('an edge', () => {
  const walk = (edge: Edge, values: readonly (number | null)[]): number[] => {
    let side: Side = null;
    return values.flatMap((value, index) => {
      const step = crossing(side, edge, value);
      side = step.side;
      return step.isDue ? [index] : [];
    });
  };

  it.each<[Edge['direction'], number[]]>([
    ['rising', [1, 8]],
    ['falling', [4, 7]],
    ['both', [1, 4, 7, 8]],
  ])('%s is due where it is seen', (direction, expected) => {
    expect(walk({ level: 20, direction, hysteresis: 1 }, [19, 21, 19.5, 21, 18, null, 25, 10, 20.1])).toEqual(expected);
  });

  it('is not due by the first reading, nor by what is missing', () => {
    expect(walk({ level: 20, direction: 'both', hysteresis: 0 }, [25, null, 10, NaN, 30])).toEqual([]);
  });
});

it('a state is due once it has lasted, and again when it comes back', () => {
  let state: Lasting = { since_ms: null, isTold: false };
  const seen: number[] = [];
  for (const [now_ms, holds] of [
    [0, true],
    [4_000, true],
    [5_000, true],
    [9_000, true],
    [10_000, null],
    [11_000, true],
    [16_000, true],
  ] as const) {
    const step = lasting(state, { holds, now_ms, for_s: 5 });
    state = step.lasting;
    if (step.isDue) seen.push(now_ms);
  }
  expect(seen).toEqual([5_000, 16_000]);
});
