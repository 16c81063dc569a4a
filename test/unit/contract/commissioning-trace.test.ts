import { describe, expect, it } from 'vitest';
import { traceScales } from '../../../server/contract/commissioning-trace.ts';
import type { Evidence } from '../../../server/contract/commissioning.ts';

function evidence(unit: string, values: (number | null)[], change: Partial<Evidence> = {}): Evidence {
  const none = { baseline: null, response: null, threshold: null, noise: null, lag_s: null };
  return {
    sensor: 'North',
    device_id: null,
    measurement_id: null,
    unit,
    driven_at: null,
    restored_at: null,
    ...none,
    trace: { times: values.map((_, index) => 1000 * index), values },
    ...change,
  };
}

describe('scales of traces', () => {
  it.each([
    ['the least of its unit', evidence('C', [18.21, 18.23]), { low: 17.8, high: 18.8 }],
    ['what the readings need, rounded up', evidence('C', [18, null, 20.1]), { low: 17, high: 22 }],
    ['the band too', evidence('ppm', [500], { baseline: 500, threshold: 60 }), { low: 400, high: 600 }],
    ['something where a unit is not known', evidence('dS/m', [2, 2]), { low: 1.6, high: 2.6 }],
    ['no rain below none', evidence('mm/h', [0, 0]), { low: 0, high: 2 }],
    [
      'no light below none, whatever the band',
      evidence('W/m2', [0, 60], { baseline: 0, threshold: 10 }),
      { low: 0, high: 100 },
    ],
    ['what a faulty sensor reads below none', evidence('W/m2', [-4, 2]), { low: -30, high: 20 }],
    ['frost', evidence('C', [-0.2, 0.1]), { low: -0.6, high: 0.4 }],
  ])('span %s', (_what, one, { low, high }) => {
    expect(traceScales([one])(one)).toEqual({
      low: expect.closeTo(low) as number,
      high: expect.closeTo(high) as number,
    });
  });

  it('have one span for all of a unit and another for the next', () => {
    const [calm, wild, damp] = [evidence('C', [5, 5.1]), evidence('C', [10, 16]), evidence('%', [60, 61])] as const;
    const scaleOf = traceScales([calm, wild, damp]);
    const spanOf = (one: Evidence) => (scaleOf(one)?.high ?? 0) - (scaleOf(one)?.low ?? 0);
    expect([calm, wild, damp].map(spanOf)).toEqual([10, 10, 5]);
  });

  it('hold every reading', () => {
    for (let high = 0.1; high < 40; high *= 1.13) {
      const one = evidence('C', [3.3, 3.3 + high]);
      const scale = traceScales([one])(one);
      expect(scale?.low).toBeLessThanOrEqual(3.3);
      expect(scale?.high).toBeGreaterThanOrEqual(3.3 + high);
    }
  });

  it('are none without a reading', () => {
    const one = evidence('C', [null]);
    expect(traceScales([one])(one)).toBeNull();
  });
});
