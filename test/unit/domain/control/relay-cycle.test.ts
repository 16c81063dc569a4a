import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { relayCycle, type CycleLimits } from '../../../../server/domain/control/relay-cycle.ts';

const limits: CycleLimits = { pwm_cycle_s: 600, pwm_min_on_s: 1, min_off_s: 0, max_on_s: null };

describe('the cycle of a relay', () => {
  it.each<[string, number, Partial<CycleLimits>, number, number]>([
    ['on for its part of the cycle', 40, {}, 240, 600],
    ['longer for the least time on', 5, { pwm_min_on_s: 60 }, 60, 1_200],
    ['longer for the least time off', 90, { min_off_s: 120 }, 1_080, 1_200],
    ['as long as the greater of both wants', 50, { pwm_min_on_s: 400, min_off_s: 500 }, 500, 1_000],
    ['on for exactly as long as it may', 50, { max_on_s: 300 }, 300, 600],
  ])('is %s', (_name, duty_pct, own, on_s, cycle_s) => {
    const cycle = relayCycle(duty_pct, { ...limits, ...own });
    expect(cycle?.on_s).toBeCloseTo(on_s, 9);
    expect(cycle?.cycle_s).toBeCloseTo(cycle_s, 9);
  });

  it.each<[string, number, Partial<CycleLimits>]>([
    ['without a cycle', 40, { pwm_cycle_s: null }],
    ['at 0 %', 0, {}],
    ['at 100 %', 100, {}],
    ['where it would be on for too long', 60, { max_on_s: 300 }],
    ['where the least time off makes it be on for too long', 90, { max_on_s: 600, min_off_s: 120 }],
  ])('is none %s', (_name, duty_pct, own) => {
    expect(relayCycle(duty_pct, { ...limits, ...own })).toBeUndefined();
  });

  it('keeps the duty and every limit', () => {
    const some = fc.record({
      pwm_cycle_s: fc.double({ min: 1, max: 86_400, noNaN: true }),
      pwm_min_on_s: fc.double({ min: 0.1, max: 3_600, noNaN: true }),
      min_off_s: fc.double({ min: 0, max: 86_400, noNaN: true }),
      max_on_s: fc.option(fc.double({ min: 0, max: 86_400, noNaN: true })),
    });
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 99.99, noNaN: true }), some, (duty_pct, own) => {
        const cycle = relayCycle(duty_pct, own);
        if (cycle === undefined) {
          expect(own.max_on_s).not.toBeNull();
          return;
        }
        const { on_s, cycle_s } = cycle;
        const most = 1 + 1e-9;
        expect((100 * on_s) / cycle_s).toBeCloseTo(duty_pct, 6);
        expect(on_s * most).toBeGreaterThanOrEqual(own.pwm_min_on_s);
        expect((cycle_s - on_s) * most + 1e-6).toBeGreaterThanOrEqual(own.min_off_s);
        expect(on_s).toBeLessThanOrEqual(own.max_on_s ?? Infinity);
      }),
    );
  });
});
