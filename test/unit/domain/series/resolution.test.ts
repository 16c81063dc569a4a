import { describe, expect, it } from 'vitest';
import { resolutionFor, resolutionWithin, wholeRows } from '../../../../server/domain/series/resolution.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

describe('resolutionFor 500 columns', () => {
  it.each([
    [hourMs, 'raw'],
    [3.3 * hourMs, 'raw'],
    [3.4 * hourMs, 'minute'],
    [2 * dayMs, 'minute'],
    [2.1 * dayMs, 'quarter'],
    [199 * dayMs, 'quarter'],
    [200 * dayMs, 'day'],
    [365 * dayMs, 'day'],
    [3650 * dayMs, 'day'],
  ])('takes of %d ms %s', (spanMs, resolution) => {
    expect(resolutionFor({ from_ms: 7, to_ms: 7 + spanMs }, 500)).toBe(resolution);
  });
});

it.each([
  [0, dayMs, 'day'],
  [-9 * hourMs, 15 * hourMs, 'quarter'], // a day in Seoul
  [0, 60_000, 'minute'],
  [1, 60_000, 'raw'],
] as const)('resolutionWithin %d to %d is %s', (fromMs, toMs, resolution) => {
  expect(resolutionWithin({ from_ms: fromMs, to_ms: toMs })).toBe(resolution);
});

it('wholeRows widens a span to the rows that hold it', () => {
  expect(wholeRows({ from_ms: 61_000, to_ms: 119_000 }, 'minute')).toEqual({ from_ms: 60_000, to_ms: 120_000 });
  expect(wholeRows({ from_ms: 61_000, to_ms: 119_000 }, 'raw')).toEqual({ from_ms: 61_000, to_ms: 119_000 });
});
