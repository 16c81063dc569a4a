import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketLimits, bucketNames, dateIn, mostBuckets } from '../../../../server/domain/series/calendar.ts';

const ms = (time: string): number => Date.parse(time);
const iso = (limits: readonly number[]): string[] => limits.map((limit) => new Date(limit).toISOString());

describe('bucketLimits', () => {
  it('takes days from the calendar of the zone, over a clock change', () => {
    const span = { from_ms: ms('2026-03-28T12:00:00Z'), to_ms: ms('2026-03-30T12:00:00Z') };
    const limits = bucketLimits(span, 'day', 'Europe/Berlin');
    expect(iso(limits)).toEqual([
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z', // 23 hours
      '2026-03-30T22:00:00.000Z',
    ]);
  });

  it('begins a day without midnight at its first moment', () => {
    // Chile set its clocks from 24:00 to 1:00 on 2023-09-02.
    const span = { from_ms: ms('2023-09-03T12:00:00Z'), to_ms: ms('2023-09-03T13:00:00Z') };
    expect(iso(bucketLimits(span, 'day', 'America/Santiago'))).toEqual([
      '2023-09-03T04:00:00.000Z',
      '2023-09-04T03:00:00.000Z',
    ]);
  });

  it('begins weeks on Monday and months on the first', () => {
    const span = { from_ms: ms('2026-03-01T06:00:00Z'), to_ms: ms('2026-03-01T07:00:00Z') };
    expect(iso(bucketLimits(span, 'week', 'UTC'))).toEqual(['2026-02-23T00:00:00.000Z', '2026-03-02T00:00:00.000Z']);
    expect(iso(bucketLimits(span, 'month', 'Asia/Seoul'))).toEqual([
      '2026-02-28T15:00:00.000Z',
      '2026-03-31T15:00:00.000Z',
    ]);
  });

  it('holds the span in ascending limits, in no more buckets than announced', () => {
    const zone = fc.constantFrom('UTC', 'Asia/Seoul', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe');
    const from = fc.integer({ min: ms('1990-01-01'), max: ms('2040-01-01') });
    const length = fc.integer({ min: 1, max: 400 * 86_400_000 });
    fc.assert(
      fc.property(zone, fc.constantFrom(...bucketNames), from, length, (time_zone, bucket, fromMs, wantedMs) => {
        const mostMs = { minute: 6e6, quarter: 9e7, hour: 4e8 }[bucket as 'minute'] ?? Infinity;
        const span = { from_ms: fromMs, to_ms: fromMs + Math.min(wantedMs, mostMs) };
        const limits = bucketLimits(span, bucket, time_zone);
        expect(limits[0]).toBeLessThanOrEqual(span.from_ms);
        expect(limits[1]).toBeGreaterThan(span.from_ms);
        expect(limits.at(-1)).toBeGreaterThanOrEqual(span.to_ms);
        expect(limits.at(-2)).toBeLessThan(span.to_ms);
        expect(limits.slice(1).every((limit, index) => limit > (limits[index] ?? Infinity))).toBe(true);
        expect(limits.length - 1).toBeLessThanOrEqual(mostBuckets(span, bucket));
      }),
    );
  });
});

it('dateIn names the day of the zone', () => {
  expect(dateIn(ms('2026-02-28T15:00:00Z'), 'Asia/Seoul')).toBe('2026-03-01');
});
