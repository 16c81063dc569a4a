import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shifted, zoomed } from '../../../../renderer/chart/gestures.ts';

const span = { from_ms: 1_000, to_ms: 3_000 };

describe('zoomed', () => {
  it.each([
    [0.5, 0.5, { from_ms: 1_500, to_ms: 2_500 }],
    [2, 0, { from_ms: 1_000, to_ms: 5_000 }],
    [2, 1, { from_ms: -1_000, to_ms: 3_000 }],
    [1, 0.3, span],
  ])('by %d about %d', (factor, share, expected) => expect(zoomed(span, factor, share)).toEqual(expected));

  it('goes back where it came from', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, fc.double({ min: 0.1, max: 10, noNaN: true }), (at, factor) => {
        const back = zoomed(zoomed(span, factor, at), 1 / factor, at);
        expect(back.from_ms).toBeCloseTo(span.from_ms, 5);
        expect(back.to_ms).toBeCloseTo(span.to_ms, 5);
      }),
    );
  });
});

it('moves by a share of the length', () => {
  expect(shifted(span, 0.5)).toEqual({ from_ms: 2_000, to_ms: 4_000 });
  expect(shifted(span, -1)).toEqual({ from_ms: -1_000, to_ms: 1_000 });
});
