import { describe, expect, it } from 'vitest';
import { resolutionFor, resolutionWithin, wholeRows } from '../../../../server/domain/series/resolution.ts';

const hour_ms = 3_600_000;
const day_ms = 24 * hour_ms;

describe('resolutionFor 500 columns', () => {
  it.each([
    [hour_ms, 'raw'],
    [3.3 * hour_ms, 'raw'],
    [3.4 * hour_ms, 'minute'],
    [2 * day_ms, 'minute'],
    [2.1 * day_ms, 'quarter'],
    [199 * day_ms, 'quarter'],
    [200 * day_ms, 'day'],
    [365 * day_ms, 'day'],
    [3650 * day_ms, 'day'],
  ])('takes of %d ms %s', (span_ms, resolution) => {
    expect(resolutionFor({ from_ms: 7, to_ms: 7 + span_ms }, 500)).toBe(resolution);
  });
});

it.each([
  [0, day_ms, 'day'],
  [-9 * hour_ms, 15 * hour_ms, 'quarter'], // a day in Seoul
  [0, 60_000, 'minute'],
  [1, 60_000, 'raw'],
] as const)('resolutionWithin %d to %d is %s', (from_ms, to_ms, resolution) => {
  expect(resolutionWithin({ from_ms, to_ms })).toBe(resolution);
});

it('wholeRows widens a span to the rows that hold it', () => {
  expect(wholeRows({ from_ms: 61_000, to_ms: 119_000 }, 'minute')).toEqual({ from_ms: 60_000, to_ms: 120_000 });
  expect(wholeRows({ from_ms: 61_000, to_ms: 119_000 }, 'raw')).toEqual({ from_ms: 61_000, to_ms: 119_000 });
});
