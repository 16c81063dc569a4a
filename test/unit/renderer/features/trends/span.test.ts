import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  followsNow,
  pastOf,
  pastSpan,
  presets,
  settled,
  spanOfQuery,
} from '../../../../../renderer/features/trends/span.ts';

const nowMs = Date.parse('2026-11-21T05:00:00Z');

describe('settled', () => {
  it('keeps every span between a minute and eleven years, and hardly into the future', () => {
    const moment = fc.double({ min: -1e13, max: 1e13, noNaN: true });
    fc.assert(
      fc.property(moment, fc.double({ min: -1e13, max: 1e13, noNaN: true }), (fromMs, length) => {
        const found = settled({ from_ms: fromMs, to_ms: fromMs + length }, nowMs);
        const kept = found.to_ms - found.from_ms;
        expect(kept).toBeGreaterThanOrEqual(60_000 - 1);
        expect(kept).toBeLessThanOrEqual(11 * 365 * 86_400_000 + 1);
        expect(found.to_ms).toBeLessThanOrEqual(nowMs + 0.05 * kept + 1);
      }),
    );
  });

  it('leaves a span alone that can be had', () => {
    const span = pastSpan(3_600, nowMs);
    expect(settled(span, nowMs)).toEqual(span);
  });
});

it('goes on with the time only while it ends now', () => {
  expect(followsNow(pastSpan(3_600, nowMs), nowMs)).toBe(true);
  expect(followsNow(pastSpan(3_600, nowMs - 60_000), nowMs)).toBe(false);
});

it.each([
  [
    { from: '1000', to: '2000' },
    { from_ms: 1_000, to_ms: 2_000 },
  ],
  [{ from: '2000', to: '1000' }, null],
  [{ from: 'x', to: '1000' }, null],
  [{}, null],
])('reads %j', (query, expected) => expect(spanOfQuery(query)).toEqual(expected));

describe('with the forecast', () => {
  it.each(presets)(
    '$name reaches ahead as far as it does back, up to two days, and goes on with the time',
    ({ past_s }) => {
      const span = pastSpan(past_s, nowMs, true);
      expect(span.to_ms - nowMs).toBe(Math.min(past_s, 2 * 86_400) * 1000);
      expect(pastOf(span, true)).toBe(past_s);
      expect(settled(span, nowMs, true)).toEqual(span);
      expect([followsNow(span, nowMs, true), followsNow(span, nowMs + past_s * 100, true)]).toEqual([true, false]);
    },
  );

  it('a part of what lies ahead can be looked at, as far as the forecast goes, and stays', () => {
    const ahead = { from_ms: nowMs + 3_600_000, to_ms: nowMs + 7_200_000 };
    expect(settled(ahead, nowMs, true)).toEqual(ahead);
    expect(followsNow(ahead, nowMs, true)).toBe(false);
    const later = { from_ms: nowMs + 9 * 86_400_000, to_ms: nowMs + 10 * 86_400_000 };
    expect(settled(later, nowMs, true).to_ms).toBe(nowMs + 4 * 86_400_000);
  });
});
