import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenBuckets } from '../../../server/api/token-buckets.ts';

describe('TokenBuckets', () => {
  it('lets a full minute come at once, then as many as the rate, and says how long to wait', () => {
    let nowMs = 0;
    const buckets = new TokenBuckets({ perMinute: 3, now_ms: () => nowMs });
    const waits = [1, 2, 3, 4].map(() => buckets.take('a'));
    expect(waits).toEqual([0, 0, 0, 20]);
    nowMs = 15_000;
    expect(buckets.take('a')).toBe(5);
    nowMs = 20_000;
    expect(buckets.take('a')).toBe(0);
    expect(buckets.take('b')).toBe(0);
  });

  it('never lets through more than one minute beyond the rate', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 60 }), (waitsMs, perMinute) => {
        let nowMs = 0;
        const buckets = new TokenBuckets({ perMinute, now_ms: () => nowMs });
        let let_through = 0;
        for (const waitMs of waitsMs) {
          nowMs += waitMs;
          if (buckets.take('a') === 0) let_through += 1;
        }
        expect(let_through).toBeLessThanOrEqual(perMinute + (nowMs * perMinute) / 60_000 + 1e-6);
      }),
    );
  });

  it('forgets those who were quiet for a minute', () => {
    let nowMs = 0;
    const buckets = new TokenBuckets({ perMinute: 3, now_ms: () => nowMs });
    for (let caller = 0; caller < 10_000; caller += 1) buckets.take(String(caller));
    nowMs = 60_000;
    buckets.take('new');
    expect(buckets.size).toBe(1);
  });
});
