import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  aimedPath,
  extentOf,
  isAimed,
  joined,
  shadeIn,
  spanOf,
  trendMs,
  trendPath,
  withSample,
  type Sample,
} from '../../../../../renderer/features/house/trend.ts';

const at = (seconds: number, value: number | null): Sample => ({ time_ms: seconds * 1_000, value });

describe('withSample', () => {
  it('keeps a day, whatever comes', () => {
    const steps = fc.array(fc.integer({ min: -5_000, max: 4_000_000 }), { maxLength: 200 });
    fc.assert(
      fc.property(steps, (seconds) => {
        let nowMs = 10_000;
        let samples: readonly Sample[] = [];
        for (const step of seconds) samples = withSample(samples, at((nowMs += step), nowMs));
        const times = samples.map(({ time_ms }) => time_ms);
        expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
        expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeLessThanOrEqual(trendMs);
      }),
    );
  });

  it('takes no reading twice and none from the past', () => {
    const samples = withSample([], at(10, 1));
    expect(withSample(samples, at(10, 2))).toBe(samples);
    expect(withSample(samples, at(9, 2))).toBe(samples);
  });
});

describe('a day of readings', () => {
  const stored = [at(0, 1), at(240, 2)];

  it('moves its newest reading on within a minute', () => {
    const seconds = joined(stored, [at(300, 3), at(310, 4), at(359, 5), at(361, 6)]);
    expect(seconds).toEqual([...stored, at(300, 3), at(359, 5), at(361, 6)]);
  });

  it('breaks where nothing came for a quarter of an hour', () => {
    expect(joined(stored, [at(1_200, 3)]).map(({ value }) => value)).toEqual([1, 2, null, 3]);
  });

  it('shades what of a usual range is in sight', () => {
    const frame = { width: 100, height: 20, nowMs: 240_000, spanMs: 240_000, leastSpan: 1 };
    const place = { y: 0, height: 10 };
    expect(shadeIn(stored, [1.5, 9], frame)).toEqual({ ...place, x: 0, width: 100 });
    expect(shadeIn(stored, [5, 9], frame)).toBeNull();
    expect(shadeIn([], [5, 9], frame)).toBeNull();
  });
});

describe('what was aimed at', () => {
  const frame = { width: 100, height: 20, nowMs: 1_000_000, spanMs: 1_000_000, leastSpan: 1 };
  const day = [at(0, 0), at(1_000, 10)];

  it('goes in steps behind the line, the last one until now', () => {
    const aimed = { low: [at(0, 2), at(500, 4)], high: [at(0, 6), at(500, 8)] };
    expect(aimedPath(day, aimed, frame)).toBe('M0.0 16.0V8.0H50.0V4.0H100.0V12.0H50.0V16.0H0.0Z');
  });

  it('leaves a gap where none was aimed at, and fills to the edge at an open end', () => {
    const high = [at(0, 5), at(200, null), at(600, 5), at(800, null)];
    expect(aimedPath(day, { low: null, high }, frame)).toBe(
      'M0.0 20.0V10.0H20.0V20.0H0.0ZM60.0 20.0V10.0H80.0V20.0H60.0Z',
    );
  });

  it('goes on for no longer than a quarter of an hour without word', () => {
    const long = { ...frame, nowMs: 4_000_000, spanMs: 4_000_000 };
    expect(aimedPath(day, { low: [at(0, 5)], high: null }, long)).toBe('M0.0 10.0V0.0H22.5V10.0H0.0Z');
  });

  it('begins at the left edge with what held then', () => {
    const short = { ...frame, spanMs: 500_000 };
    expect(aimedPath(day, { low: [at(300, 5)], high: null }, short)).toBe('M0.0 10.0V0.0H100.0V10.0H0.0Z');
  });

  it('shows at the edge on which side a range lies that the trend never reaches', () => {
    const above = { low: [at(0, 40)], high: [at(0, 50)] };
    expect(aimedPath(day, above, frame)).toBe('M0.0 2.0V0.0H90.0V2.0H0.0Z');
    const below = { low: [at(0, -50)], high: [at(0, -40)] };
    expect(aimedPath(day, below, frame)).toBe('M0.0 20.0V18.0H90.0V20.0H0.0Z');
  });

  it('is nothing where only nothing is known', () => {
    expect(isAimed({ low: [at(0, null)], high: null })).toBe(false);
    expect(isAimed({ low: [at(0, null), at(9, 1)], high: null })).toBe(true);
  });
});

describe('trendPath', () => {
  const frame = { width: 100, height: 20, nowMs: 600_000, spanMs: 600_000, leastSpan: 1 };

  it('ends at the right with the newest reading and rises with the value', () => {
    expect(trendPath([at(590, 10), at(600, 12)], frame)).toBe('M98.3 20.0L100.0 0.0');
  });

  it('leaves a gap where the sensor gave no number', () => {
    const path = trendPath([at(400, 1), at(500, 1), at(510, null), at(520, 1), at(530, 1)], frame);
    expect(path.match(/M/g)).toHaveLength(2);
    expect(path.match(/L/g)).toHaveLength(2);
  });

  it('keeps noise below the least span small', () => {
    const path = trendPath([at(590, 20), at(600, 20.1)], frame);
    expect(path).toBe('M98.3 11.0L100.0 9.0');
  });

  it('draws nothing without a number', () => {
    expect(trendPath([at(600, null)], frame)).toBe('');
    expect(extentOf([at(600, null)])).toBeNull();
  });
});

describe('spanOf', () => {
  it('grows from a minute to a day', () => {
    expect(spanOf([], 0)).toBe(60_000);
    expect(spanOf([at(0, 1)], 30_000)).toBe(60_000);
    expect(spanOf([at(0, 1)], 240_000)).toBe(240_000);
    expect(spanOf([at(0, 1)], 99_000_000)).toBe(86_400_000);
  });
});
